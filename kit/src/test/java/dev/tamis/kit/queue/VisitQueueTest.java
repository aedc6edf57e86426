package dev.tamis.kit.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.kit.queue.PushResult.Reason;
import dev.tamis.kit.queue.PushResult.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class VisitQueueTest {

  private final AtomicLong nanos = new AtomicLong(1_000_000_000_000L);

  private VisitQueueBuilder builder() {
    return VisitQueue.builder().expectedKeys(1_000).fpp(1e-9).nanoClock(nanos::get);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void deliversEachKeyOnceInTheOrderOfThePushes() {
    VisitQueue queue = builder().build();
    assertThat(queue.push("http://b/")).isEqualTo(PushResult.ACCEPTED);
    assertThat(queue.push("http://a/#x")).isEqualTo(PushResult.ACCEPTED);
    assertThat(queue.push("http://A:80/")).isEqualTo(PushResult.DUPLICATE);
    assertThat(queue.peek()).contains("http://b/");
    assertThat(all(queue)).containsExactly("http://b/", "http://a/#x");
    assertThat(queue.push("http://b/")).isEqualTo(PushResult.DUPLICATE);
    assertThat(queue.poll()).isEmpty();
  }

  @Test
  void hostsTakeTurnsAndWaitTheirDelay() {
    VisitQueue queue = builder().perHostDelay(Duration.ofSeconds(1)).build();
    List.of("http://a/1", "http://a/2", "http://a/3", "http://b/1", "http://c/1", "http://b/2")
        .forEach(queue::push);
    assertThat(all(queue)).containsExactly("http://a/1", "http://b/1", "http://c/1");
    pass(Duration.ofSeconds(1).minusNanos(1));
    assertThat(queue.poll()).isEmpty();
    pass(Duration.ofNanos(1));
    assertThat(all(queue)).containsExactly("http://a/2", "http://b/2");
    pass(Duration.ofSeconds(1));
    assertThat(all(queue)).containsExactly("http://a/3");
  }

  @Test
  void aLeaseThatRunsOutComesBack() {
    VisitQueue queue = builder().leaseTimeout(Duration.ofSeconds(5)).build();
    queue.push("http://a/1");
    Lease first = queue.lease().orElseThrow();
    assertThat(queue.lease()).isEmpty();
    pass(Duration.ofSeconds(5));
    Lease second = queue.lease().orElseThrow();
    assertThat(second.url()).isEqualTo("http://a/1");
    assertThat(second.attempt()).isEqualTo(2);
    assertThat(first.ack()).isFalse();
    assertThat(second.ack()).isTrue();
    assertThat(second.ack()).isFalse();
    assertThat(queue.stats().delivered()).isOne();
  }

  @Test
  void saysWhyAUrlIsRejected() {
    VisitQueue queue =
        builder().maxUrlBytes(20).maxPerHost(1).scope(UrlScope.hosts("a", "b")).build();
    assertThat(reason(queue.push("nonsense"))).isEqualTo(Reason.UNPARSABLE);
    assertThat(reason(queue.push("http://a/" + "x".repeat(12)))).isEqualTo(Reason.TOO_LONG);
    assertThat(reason(queue.push("http://c/"))).isEqualTo(Reason.OUT_OF_SCOPE);
    assertThat(queue.push("http://a/").status()).isEqualTo(Status.ACCEPTED);
    assertThat(reason(queue.push("http://a/2"))).isEqualTo(Reason.HOST_LIMIT);
  }

  @Test
  void buildNeedsAnExpectedNumber() {
    assertThatThrownBy(() -> VisitQueue.builder().fpp(0.01).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("expectedKeys");
  }

  private static Reason reason(PushResult result) {
    return result.rejection().orElseThrow().reason();
  }

  private static List<String> all(VisitQueue queue) {
    List<String> urls = new ArrayList<>();
    for (Optional<String> url = queue.poll(); url.isPresent(); url = queue.poll()) {
      urls.add(url.get());
    }
    return urls;
  }
}
