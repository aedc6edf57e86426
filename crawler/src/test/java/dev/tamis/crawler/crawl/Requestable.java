package dev.tamis.crawler.crawl;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;

/** What must hold of an address that a page or a server has named. */
final class Requestable {

  /** A dot segment in any escaping. */
  private static final Pattern DOTS = Pattern.compile("(?i)(?:\\.|%2e){1,2}");

  private Requestable() {}

  /** Checks a visit of such an address, which comes back from the queue as it is. */
  static void check(Task visit) {
    String address = visit.address();
    assertThat(US_ASCII.newEncoder().canEncode(address)).as(address).isTrue();
    assertThat(address.length()).isLessThanOrEqualTo(Address.MAX_BYTES);
    URI uri = URI.create(address); // an independent parser
    assertThat(uri.getScheme()).isIn("http", "https");
    assertThat(uri.getHost()).as(address).isNotEmpty();
    assertThat(uri.getRawUserInfo()).as(address).isNull();
    assertThat(uri.getRawFragment()).as(address).isNull();
    assertThat(uri.getRawPath()).as(address).startsWith("/");
    assertThat(uri.getRawPath().split("/", -1))
        .as(address)
        .noneMatch(segment -> DOTS.matcher(segment).matches());
    assertThat(Address.of(address)).contains(address);
    assertThat(visit.queued().length()).isLessThanOrEqualTo(Task.MAX_BYTES);
    assertThat(Task.of(visit.queued())).isEqualTo(Optional.of(visit));
  }
}
