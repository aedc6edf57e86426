package dev.tamis.crawler.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.JvmCommand;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueueOnDiskTest {

  @TempDir private Path directory;
  private final AtomicLong nanos = new AtomicLong();

  private VisitQueueBuilder builder() {
    return VisitQueue.builder()
        .random(Queues.fixedRandom())
        .expectedKeys(10_000)
        .fpp(1e-9)
        .key(UrlKey.DEFRAG)
        .nanoClock(nanos::get)
        .checkpointBytes(10_000);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void remembersEverythingWhetherClosedOrKilled(boolean killed) throws IOException {
    VisitQueue queue = builder().open(directory);
    for (int i = 0; i < 300; i++) {
      assertThat(queue.push("http://h/" + i + "#x").isAccepted()).isTrue();
    }
    List<String> delivered = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      delivered.add(queue.poll().orElseThrow());
    }
    end(queue, killed);

    VisitQueue again = VisitQueue.open(directory);
    assertThat(again.push("http://h/7").status()).isEqualTo(PushResult.Status.DUPLICATE);
    assertThat(again.push("http://h/299#y").status()).isEqualTo(PushResult.Status.DUPLICATE);
    assertThat(again.stats().seenKeys()).isEqualTo(300);
    delivered.addAll(Queues.drain(again));
    assertThat(delivered)
        .containsExactlyElementsOf(
            IntStream.range(0, 300).mapToObj(i -> "http://h/" + i + "#x").toList());
    end(again, killed);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatWasLeasedComesBackInItsPlaceAndWhatWasAcknowledgedDoesNot(boolean killed)
      throws IOException {
    VisitQueue queue = builder().open(directory);
    for (int i = 0; i < 5; i++) {
      queue.push("http://h/" + i);
    }
    assertThat(queue.lease()).isPresent();
    Lease done = queue.lease().orElseThrow();
    Lease failed = queue.lease().orElseThrow();
    assertThat(done.ack()).isTrue();
    assertThat(failed.retry()).isTrue();
    end(queue, killed);

    try (VisitQueue again = builder().open(directory)) {
      assertThat(again.stats().inFlight()).isZero();
      List<Lease> leases =
          Stream.generate(again::lease).limit(4).map(Optional::orElseThrow).toList();
      assertThat(leases).extracting(Lease::attempt).containsExactly(1, 1, 1, 2);
      assertThat(leases)
          .extracting(Lease::url)
          .containsExactly("http://h/0", "http://h/3", "http://h/4", "http://h/2");
    }
  }

  @ParameterizedTest
  @EnumSource(OnFull.class)
  void filterAndQueueAgreeAfterEachOfManyEnds(OnFull onFull) throws IOException {
    UnaryOperator<VisitQueueBuilder> settings =
        b -> b.expectedKeys(5_000).fpp(0.1).onFull(onFull).exactConfirmation();
    SplittableRandom random = new SplittableRandom(3);
    List<String> accepted = new ArrayList<>();
    List<String> delivered = new ArrayList<>();
    for (int run = 0; run < 10; run++) {
      VisitQueue queue = settings.apply(builder()).open(directory);
      for (int i = 0; i < 200; i++) {
        String url = "http://h/" + random.nextInt(2_000);
        boolean isNew = !accepted.contains(url);
        assertThat(queue.mightHaveSeen(url)).isEqualTo(!isNew);
        assertThat(queue.push(url).isAccepted()).isEqualTo(isNew);
        if (isNew) {
          accepted.add(url);
        }
        if (random.nextInt(3) == 0) {
          queue.poll().ifPresent(delivered::add);
        }
      }
      QueueStats stats = queue.stats();
      assertThat(stats.seenKeys()).isEqualTo(accepted.size());
      assertThat(stats.accepted()).isEqualTo(accepted.size());
      assertThat(stats.delivered()).isEqualTo(delivered.size());
      assertThat(stats.accepted())
          .isEqualTo(stats.delivered() + stats.inFlight() + stats.pending());
      end(queue, random.nextBoolean());
    }
    try (VisitQueue queue = VisitQueue.open(directory)) {
      delivered.addAll(Queues.drain(queue));
    }
    assertThat(delivered).containsExactlyElementsOf(accepted);
  }

  @Test
  void hostsKeepTheirOrderTheirLimitAndTheirDelay() throws IOException {
    UnaryOperator<VisitQueueBuilder> settings =
        b -> b.perHostDelay(Duration.ofSeconds(10)).maxPerHost(3);
    VisitQueue queue = settings.apply(builder()).open(directory);
    for (String url : List.of("http://a/1", "http://a/2", "http://b/1", "http://a/3")) {
      assertThat(queue.push(url).isAccepted()).isTrue();
    }
    assertThat(Queues.drain(queue)).containsExactly("http://a/1", "http://b/1");
    queue.close();
    nanos.addAndGet(Duration.ofHours(1).toNanos());
    try (VisitQueue again = VisitQueue.builder().nanoClock(nanos::get).open(directory)) {
      assertThat(again.push("http://a/4").rejection().orElseThrow().reason())
          .isEqualTo(PushResult.Reason.HOST_LIMIT);
      assertThat(again.poll()).isEmpty(); // the time of the queue stood still
      assertThat(again.peek()).contains("http://a/2");
      nanos.addAndGet(Duration.ofSeconds(10).toNanos());
      assertThat(again.poll()).contains("http://a/2");
      assertThat(again.poll()).isEmpty();
      assertThat(again.stats().hosts()).isEqualTo(2);
    }
  }

  @Test
  void afterACrashAllHostsWaitTheirDelay() throws IOException {
    VisitQueue queue = builder().perHostDelay(Duration.ofSeconds(10)).open(directory);
    queue.push("http://a/1");
    queue.push("http://a/2");
    assertThat(queue.lease()).isPresent(); // a visit that nothing is known of afterwards
    queue.abandon();
    try (VisitQueue again = builder().open(directory)) {
      assertThat(again.poll()).isEmpty();
      nanos.addAndGet(Duration.ofSeconds(10).toNanos());
      assertThat(again.poll()).contains("http://a/1");
    }
  }

  @Test
  void diskUseFollowsTheQueueDown() throws IOException {
    int urls = 30_000;
    long checkpointBytes = 500_000;
    VisitQueueBuilder builder =
        VisitQueue.builder()
            .random(Queues.fixedRandom())
            .expectedKeys(urls)
            .fpp(1e-6)
            .key(UrlKey.NONE)
            .checkpointBytes(checkpointBytes);
    try (VisitQueue queue = builder.open(directory)) {
      for (int i = 0; i < urls; i++) {
        queue.push("http://host.example/a/path/to/page/number/" + i + ".html");
      }
    }
    long full = Queues.bytesIn(directory);
    try (VisitQueue queue = builder.open(directory)) {
      assertThat(Queues.drain(queue)).hasSize(urls);
    }
    long filterBytes = Files.size(Queues.files(directory, "seen").get(0));
    assertThat(Queues.bytesIn(directory))
        .as(() -> Queues.describe(directory))
        .isLessThan(filterBytes + 2 * checkpointBytes + (256 << 10))
        .isLessThan(full / 2);
  }

  @Test
  void confirmationRescuesWhatTheFilterWouldHaveDropped() throws IOException {
    int urls = 2_000;
    try (VisitQueue queue =
        builder().expectedKeys(urls).fpp(0.3).exactConfirmation().open(directory)) {
      for (int i = 0; i < urls; i++) {
        assertThat(queue.push("http://h/" + i).isAccepted()).isTrue();
        assertThat(queue.push("http://h/" + i).isAccepted()).isFalse();
      }
      QueueStats stats = queue.stats();
      assertThat(stats.rescued()).isPositive();
      assertThat(stats.expectedWrongDrops()).hasValue(0);
      assertThat(stats.expectedFpp()).isZero();
      assertThat(Queues.drain(queue)).hasSize(urls);
    }
  }

  @Test
  void expectedWrongDropsGoOnAcrossEnds() throws IOException {
    double last = 0;
    for (int run = 0; run < 8; run++) {
      VisitQueue queue = builder().expectedKeys(4_000).fpp(0.1).open(directory);
      assertThat(queue.stats().expectedWrongDrops().orElseThrow()).isCloseTo(last, within(1.0));
      for (int i = 0; i < 500; i++) {
        queue.push("http://h/" + (run * 500 + i));
      }
      QueueStats stats = queue.stats();
      last = stats.expectedWrongDrops().orElseThrow();
      end(queue, run % 2 == 0);
    }
    VisitQueue whole =
        VisitQueue.builder().random(Queues.fixedRandom()).expectedKeys(4_000).fpp(0.1).build();
    for (int i = 0; i < 4_000; i++) {
      whole.push("http://h/" + i);
    }
    assertThat(last).isCloseTo(whole.stats().expectedWrongDrops().orElseThrow(), within(last / 10));
  }

  @Test
  void oneProcessAtATime() throws IOException, InterruptedException {
    try (VisitQueue queue = builder().open(directory)) {
      queue.push("http://h/");
      assertThatThrownBy(() -> VisitQueue.open(directory))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining(directory.toString())
          .hasMessageContaining("in use");
      assertThat(queue.poll()).contains("http://h/");
      Process other = // after one of this process tried, which must not release the lock
          new ProcessBuilder(JvmCommand.of(List.of(), QueueFiller.class, directory, 1000, 1))
              .redirectErrorStream(true)
              .start();
      assertThat(new String(other.getInputStream().readAllBytes(), UTF_8)).contains("in use");
      assertThat(other.waitFor()).isOne();
    }
    VisitQueue.open(directory).close();
  }

  @Test
  void refusesOtherParametersByName() throws IOException {
    builder().open(directory).close();
    refuses(builder().expectedKeys(9_999), "expectedKeys: must be 10000 as stored, got 9999");
    refuses(builder().fpp(0.5), "fpp: must be 1.0E-9 as stored, got 0.5");
    refuses(builder().key(UrlKey.NONE), "key: must be defrag as stored, got none");
    refuses(builder().onFull(OnFull.GROW), "onFull: must be WARN as stored, got GROW");
    refuses(builder().maxPerHost(1), "byHost: must be false as stored, got true");
    refuses(builder().exactConfirmation(), "exactConfirmation: must be false as stored, got true");
    builder().open(directory).close();
  }

  private void refuses(VisitQueueBuilder builder, String why) {
    assertThatThrownBy(() -> builder.open(directory))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  @Test
  void refusesADirectoryThatIsNoQueue() throws IOException {
    assertThatThrownBy(() -> VisitQueue.open(directory))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("not a queue directory");
    Files.writeString(directory.resolve("thesis.txt"), "x");
    assertThatThrownBy(() -> builder().open(directory))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("directory is not empty");
    assertThat(Queues.files(directory, "")).hasSize(1);
  }

  @Test
  void aCustomKeyMustBeGivenAgain() throws IOException {
    UrlKey lower =
        new UrlKey() {
          @Override
          public String id() {
            return "lower";
          }

          @Override
          public Optional<ParsedUrl> of(String url) {
            return Optional.of(ParsedUrl.of(url.toLowerCase(Locale.ROOT)));
          }
        };
    try (VisitQueue queue = builder().key(lower).open(directory)) {
      queue.push("HTTP://H/");
    }
    assertThatThrownBy(() -> VisitQueue.open(directory)).hasMessageContaining("'lower'");
    try (VisitQueue queue = builder().key(lower).open(directory)) {
      assertThat(queue.push("http://h/").isAccepted()).isFalse();
    }
  }

  @Test
  void anInterruptedThreadBreaksNothing() throws IOException {
    try (VisitQueue queue = builder().checkpointBytes(2_000).open(directory)) {
      Thread.currentThread().interrupt();
      for (int i = 0; i < 500; i++) {
        assertThat(queue.push("http://h/" + i).isAccepted()).isTrue();
      }
      assertThat(Thread.interrupted()).isTrue();
      assertThat(Queues.drain(queue)).hasSize(500);
    }
  }

  private static void end(VisitQueue queue, boolean killed) throws IOException {
    if (killed) {
      queue.abandon();
    } else {
      queue.close();
    }
  }
}
