package dev.tamis.crawler.crawl;

import static dev.tamis.crawler.crawl.Outcome.DISALLOWED;
import static dev.tamis.crawler.crawl.Outcome.PAGE;
import static dev.tamis.crawler.crawl.Outcome.REDIRECT;
import static dev.tamis.crawler.crawl.Outcome.REFUSED;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.Dns;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a crawl connects to, whatever pages, robots.txt and name servers say. */
@Timeout(60)
class TargetsTest {

  private static final Dns TO_LOOPBACK =
      host -> List.of(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));

  @AutoClose private final Site site = new Site();
  @AutoClose private final Site other = new Site();

  @BeforeEach
  void fill() {
    other.page("/").page("/robots.txt");
  }

  @Test
  void aRedirectOfRobotsToAnotherPortIsNotFollowed() throws Exception {
    assertNotFollowed(other.url("/robots.txt"));
  }

  @Test
  void aRedirectOfRobotsToAnotherHostIsNotFollowed() throws Exception {
    assertNotFollowed(site.urlOn("127.0.0.2", "/elsewhere"));
    assertNotFollowed(site.urlOn("localhost", "/elsewhere"));
    assertNotFollowed(site.urlOn("[::1]", "/elsewhere"));
  }

  private void assertNotFollowed(String target) throws Exception {
    site.page("/").redirect("/robots.txt", 301, target);
    Crawls.Result result = Crawls.of(site.url("/"));
    assertThat(result.outcomes()).containsEntry(site.url("/"), DISALLOWED).hasSize(1);
    assertThat(result.page(site.url("/")).detail())
        .isEqualTo("robots.txt: redirect to another host or port is not followed: " + target);
    assertThat(result.summary().requests()).isEqualTo(1);
    assertThat(site.asked()).isEmpty();
    assertThat(other.requests()).isEmpty();
  }

  @Test
  void otherPortsAreInScopeOnlyOnDemand() throws Exception {
    site.page("/", "/away", other.url("/")).redirect("/away", 302, other.url("/"));
    Crawls.Result result = Crawls.of(site.url("/"));
    assertThat(result.outcomes())
        .containsEntry(site.url("/away"), REDIRECT)
        .doesNotContainKey(other.url("/"));
    assertThat(result.summary().links().outOfScope()).isEqualTo(2);
    assertThat(other.requests()).isEmpty();
    assertThat(Crawls.of(site.url("/"), settings -> settings.reach(Reach.ALL_PORTS)).outcomes())
        .containsEntry(other.url("/"), PAGE);
  }

  @Test
  void aStartWhoseNameResolvesToAPrivateAddressIsRefused() throws Exception {
    site.page("/");
    String start = site.urlOn("site.test", "/");
    Crawls.Result result = Crawls.of(start, settings -> settings.dns(TO_LOOPBACK));
    assertThat(result.outcomes()).containsEntry(start, REFUSED).hasSize(1);
    assertThat(result.page(start).detail())
        .isEqualTo(
            "robots.txt: address 127.0.0.1 is not public; allow private addresses to request it");
    assertThat(result.summary().count(REFUSED)).isEqualTo(1);
    assertThat(result.summary().retries()).isZero();
    assertThat(site.requests()).isEmpty();
    assertThat(Crawls.of(start, settings -> settings.dns(TO_LOOPBACK).allowPrivate()).outcomes())
        .containsEntry(start, PAGE);
  }

  @Test
  void aStartAdmitsItsAddressUnderItsOwnNameOnly() throws Exception {
    site.page("/");
    String named = site.urlOn("site.test", "/");
    Crawls.Result result =
        Crawls.of(site.url("/"), settings -> settings.start(named).dns(TO_LOOPBACK));
    assertThat(result.outcomes()).containsEntry(site.url("/"), PAGE).containsEntry(named, REFUSED);
    assertThat(site.requests()).hasSize(2); // robots.txt and the page
  }

  @Test
  void localhostAdmitsLoopbackAndNoOtherAddress() throws Exception {
    site.page("/");
    String start = site.urlOn("localhost", "/");
    assertThat(Crawls.of(start).outcomes()).containsEntry(start, PAGE);
    Dns elsewhere = host -> List.of(InetAddress.getByAddress(new byte[] {10, 0, 0, 1}));
    assertThat(Crawls.of(start, settings -> settings.dns(elsewhere)).outcomes())
        .containsEntry(start, REFUSED);
  }

  @Test
  void anAnswerThatTurnsPrivateLaterIsRefused() throws Exception {
    site.page("/");
    AtomicInteger lookups = new AtomicInteger();
    Dns rebinding =
        host -> {
          if (lookups.getAndIncrement() == 0) {
            throw new UnknownHostException(host);
          }
          return TO_LOOPBACK.lookup(host);
        };
    String start = site.urlOn("site.test", "/");
    Crawls.Result result = Crawls.of(start, settings -> settings.dns(rebinding));
    assertThat(result.outcomes()).containsEntry(start, REFUSED);
    assertThat(result.summary().retries()).isEqualTo(1);
    assertThat(site.requests()).isEmpty();
  }

  @Test
  void theseAddressesAreNotPublic() throws Exception {
    for (String address :
        """
        0.0.0.0 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.255 \
        169.254.169.254 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255 198.18.0.0 \
        198.19.255.255 224.0.0.1 239.255.255.255 240.0.0.0 255.255.255.255 :: ::1 \
        ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::127.0.0.1 64:ff9b::7f00:1 64:ff9b::a00:1 \
        64:ff9b:1::808:808 100::1 2001::1 2001:db8::1 2002:7f00:1:: 3fff::1 5f00::1 fc00::1 \
        fdff::1 fe80::1 fec0::1 ff02::1\
        """
            .split(" ", -1)) {
      assertThat(AddressPolicy.isPublic(InetAddress.getByName(address))).as(address).isFalse();
    }
  }

  @Test
  void theseAddressesArePublic() throws Exception {
    for (String address :
        """
        1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 \
        169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 \
        198.17.255.255 198.20.0.0 223.255.255.255 ::ffff:8.8.8.8 64:ff9b::808:808 \
        2001:200::1 2606:4700::1 2a00:1450::1 3ffe::1\
        """
            .split(" ", -1)) {
      assertThat(AddressPolicy.isPublic(InetAddress.getByName(address))).as(address).isTrue();
    }
  }
}
