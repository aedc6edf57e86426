package dev.tamis.crawler.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.StandInServer;
import dev.tamis.crawler.queue.PushResult.Status;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several queues, as if in processes of their own, with one filter. */
class SharedQueueTest {

  private static final String URL = "http://h/";

  @TempDir private Path directory;

  private final StandInServer<CharSequence> server =
      new StandInServer<>(
          () ->
              BloomFilter.<CharSequence>builder(KeyHasher.text())
                  .expectedKeys(10_000)
                  .fpp(1e-9)
                  .build());

  private VisitQueueBuilder settings() {
    return VisitQueue.builder()
        .expectedKeys(10_000)
        .fpp(1e-9)
        .key(UrlKey.NONE)
        .sharedFilter(server.open());
  }

  private VisitQueue open(String name) throws IOException {
    return settings().checkpointBytes(5_000).open(directory.resolve(name));
  }

  @Test
  void ofAllPushesOfAUrlOneIsAccepted() {
    VisitQueue ours = settings().build();
    VisitQueue theirs = settings().build();
    assertThat(ours.push(URL).status()).isEqualTo(Status.ACCEPTED);
    assertThat(theirs.push(URL).status()).isEqualTo(Status.DUPLICATE);
    assertThat(theirs.markSeen(URL + 1).status()).isEqualTo(Status.ACCEPTED);
    assertThat(ours.push(URL + 1).status()).isEqualTo(Status.DUPLICATE);
    assertThat(ours.markSeen(URL + 1).status()).isEqualTo(Status.DUPLICATE);
    assertThat(ours.mightHaveSeen(URL + 1)).isTrue();
    assertThat(ours.mightHaveSeen(URL + 2)).isFalse();
    assertThat(Queues.drain(ours)).containsExactly(URL);
    assertThat(Queues.drain(theirs)).isEmpty();
  }

  @Test
  void aPushIsOneCall() {
    VisitQueue queue = settings().build();
    int before = server.calls.get();
    queue.push(URL);
    queue.push(URL);
    assertThat(server.calls.get() - before).isEqualTo(2);
  }

  @Test
  void aBatchIsOneCallForAFewHundredUrlsAndGivesWhatSinglePushesGive() {
    SplittableRandom random = new SplittableRandom(1);
    List<String> urls =
        random.ints(1_000, 0, 700).mapToObj(i -> i % 50 == 0 ? "" : URL + i).toList();
    VisitQueue single = settings().build();
    List<PushResult> expected = urls.stream().map(single::push).toList();
    QueueStats stats = single.stats();
    server.flush();
    VisitQueue queue = settings().build();
    int before = server.calls.get();
    assertThat(queue.pushAll(urls)).isEqualTo(expected);
    assertThat(server.calls.get() - before).isEqualTo(4);
    assertThat(queue.stats().accepted()).isEqualTo(stats.accepted());
    assertThat(queue.stats().duplicates()).isEqualTo(stats.duplicates());
    assertThat(queue.stats().rejected()).isEqualTo(stats.rejected());
    assertThat(Queues.drain(queue)).isEqualTo(Queues.drain(single));
  }

  @Test
  void racingBatchesTakeEachUrlOnceInAll() {
    List<String> urls = IntStream.range(0, 2_000).mapToObj(i -> URL + i).toList();
    List<VisitQueue> queues = IntStream.range(0, 4).mapToObj(i -> settings().build()).toList();
    queues.parallelStream().forEach(queue -> queue.pushAll(urls));
    List<String> delivered = queues.stream().flatMap(q -> Queues.drain(q).stream()).toList();
    assertThat(delivered).containsExactlyInAnyOrderElementsOf(urls);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aProcessThatEndsWithinABatchLosesNothing(boolean filterHasIt) throws IOException {
    List<String> urls = IntStream.range(0, 600).mapToObj(i -> URL + i).toList();
    VisitQueue queue = open("ours");
    int[] calls = {0};
    Runnable end =
        () -> {
          if (++calls[0] == 2) {
            throw new OutOfMemoryError("the process ends here");
          }
        };
    if (filterHasIt) {
      server.after = end;
    } else {
      server.before = end;
    }
    assertThatThrownBy(() -> queue.pushAll(urls)).isInstanceOf(OutOfMemoryError.class);
    queue.abandon();
    server.connect();

    try (VisitQueue again = open("ours")) {
      assertThat(again.stats().doubtful()).isEqualTo(filterHasIt ? 256 : 0);
      assertThat(again.stats().pending()).isEqualTo(512);
      again.pushAll(urls);
      assertThat(Queues.drain(again)).containsExactlyInAnyOrderElementsOf(urls);
    }
  }

  @Test
  void limitsHoldWithinABatch() {
    VisitQueue byHost = settings().maxPerHost(2).build();
    assertThat(byHost.pushAll(List.of(URL, URL + 1, URL, URL + 2)))
        .extracting(PushResult::status)
        .containsExactly(Status.ACCEPTED, Status.ACCEPTED, Status.DUPLICATE, Status.REJECTED);
    VisitQueue small = settings().expectedKeys(3).onFull(OnFull.REJECT).build();
    assertThat(small.pushAll(List.of(URL + 3, URL + 3, URL + 4)))
        .extracting(PushResult::status)
        .containsExactly(Status.ACCEPTED, Status.DUPLICATE, Status.FULL);
  }

  @Test
  void whatIsPushedAgainComesAgainThoughAnotherHasSeenIt() {
    VisitQueue ours = settings().build();
    settings().build().push(URL);
    assertThat(ours.pushAgain(URL).isAccepted()).isTrue();
    assertThat(Queues.drain(ours)).containsExactly(URL);
  }

  @Test
  void racingQueuesTakeEachUrlOnceInAll() {
    List<VisitQueue> queues = IntStream.range(0, 4).mapToObj(i -> settings().build()).toList();
    queues.parallelStream()
        .forEach(queue -> IntStream.range(0, 2_000).forEach(i -> queue.push(URL + i)));
    List<String> delivered = queues.stream().flatMap(q -> Queues.drain(q).stream()).toList();
    assertThat(delivered).doesNotHaveDuplicates().hasSize(2_000);
    assertThat(queues).allSatisfy(queue -> assertThat(queue.stats().pushed()).isEqualTo(2_000));
    assertThat(queues).allSatisfy(queue -> assertThat(queue.stats().doubtful()).isZero());
  }

  @Test
  void aLostFilterComesOutOfEveryPushAndTheQueueStaysWhole() {
    VisitQueue queue = settings().build();
    queue.push(URL);
    server.flush();
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> queue.push(URL + 1)).isInstanceOf(StandInServer.Lost.class);
      assertThatThrownBy(() -> queue.pushAgain(URL)).isInstanceOf(StandInServer.Lost.class);
      assertThatThrownBy(() -> queue.markSeen(URL)).isInstanceOf(StandInServer.Lost.class);
    }
    assertThat(queue.push("").status()).isEqualTo(Status.REJECTED);
    assertThat(Queues.drain(queue)).containsExactly(URL);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anOutageLosesNoUrlAndLeavesOneInDoubtAtMost(boolean answersOnly) {
    VisitQueue queue = settings().build();
    if (answersOnly) {
      server.cutOffAnswers();
    } else {
      server.cutOff();
    }
    for (int i = 0; i < 10; i++) {
      String url = URL + i;
      assertThatThrownBy(() -> queue.push(url)).isInstanceOf(StandInServer.Unreachable.class);
    }
    assertThat(queue.poll()).isEmpty();
    server.connect();

    assertThat(queue.push(URL + 0).isAccepted()).isTrue(); // the one that was claimed
    for (int i = 0; i < 10; i++) {
      assertThat(queue.push(URL + i).isAccepted()).isEqualTo(i > 0);
    }
    assertThat(Queues.drain(queue))
        .containsExactlyElementsOf(IntStream.range(0, 10).mapToObj(i -> URL + i).toList());
    assertThat(queue.stats().doubtful()).isEqualTo(answersOnly ? 1 : 0);
    assertThat(queue.stats().accepted()).isEqualTo(10);
  }

  @Test
  void aClaimThatAnOutageLeftIsSettledByTheNextPushOfAnyUrl() {
    VisitQueue queue = settings().build();
    server.cutOffAnswers();
    assertThatThrownBy(() -> queue.push(URL)).isInstanceOf(StandInServer.Unreachable.class);
    server.connect();
    queue.push(URL + 1);
    assertThat(Queues.drain(queue)).containsExactly(URL, URL + 1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aProcessThatEndsBetweenFilterAndLogLosesNothing(boolean filterHasIt) throws IOException {
    VisitQueue queue = open("ours");
    queue.push(URL);
    Runnable end =
        () -> {
          throw new OutOfMemoryError("the process ends here");
        };
    if (filterHasIt) {
      server.after = end;
    } else {
      server.before = end;
    }
    assertThatThrownBy(() -> queue.push(URL + 1)).isInstanceOf(OutOfMemoryError.class);
    queue.abandon();
    server.connect();

    try (VisitQueue again = open("ours")) {
      assertThat(Queues.drain(again)).containsExactly(URL, URL + 1);
      assertThat(again.stats().doubtful()).isEqualTo(filterHasIt ? 1 : 0);
      assertThat(again.push(URL + 1).status()).isEqualTo(Status.DUPLICATE);
    }
    try (VisitQueue theirs = open("theirs")) {
      assertThat(theirs.push(URL + 1).status()).isEqualTo(Status.DUPLICATE);
    }
  }

  @Test
  void aQueueWhoseClaimCannotBeSettledDoesNotOpenAndLetsGo() throws IOException {
    VisitQueue queue = open("ours");
    server.cutOff();
    assertThatThrownBy(() -> queue.push(URL)).isInstanceOf(StandInServer.Unreachable.class);
    queue.close();
    server.connect();
    VisitQueueBuilder settings = settings();
    server.cutOff();
    assertThatThrownBy(() -> settings.open(directory.resolve("ours")))
        .isInstanceOf(StandInServer.Unreachable.class);
    server.connect();
    try (VisitQueue again = open("ours")) {
      assertThat(Queues.drain(again)).containsExactly(URL);
    }
  }

  @Test
  void nothingIsLostAndNothingComesTwiceOverManyEndsOfSeveralQueues() throws IOException {
    SplittableRandom random = new SplittableRandom(7);
    List<String> delivered = new ArrayList<>();
    int doubtful = 0;
    for (int run = 0; run < 30; run++) {
      String name = "queue" + random.nextInt(3);
      VisitQueue queue = open(name);
      for (int i = 0; i < 60; i++) {
        queue.push(URL + random.nextInt(1_000));
        if (random.nextInt(3) == 0) {
          queue.poll().ifPresent(delivered::add);
        }
      }
      if (random.nextBoolean()) {
        queue.close();
      } else {
        server.cutOffAnswers();
        String url = URL + random.nextInt(1_000);
        assertThatThrownBy(() -> queue.push(url)).isInstanceOf(StandInServer.Unreachable.class);
        server.connect();
        queue.abandon();
      }
    }
    for (int i = 0; i < 3; i++) {
      try (VisitQueue queue = open("queue" + i)) {
        delivered.addAll(Queues.drain(queue));
        doubtful += (int) queue.stats().doubtful();
      }
    }
    var expected = server.open();
    assertThat(delivered).allMatch(expected::mightContain);
    assertThat(expected.acceptedKeys()).isEqualTo(delivered.stream().distinct().count());
    // what comes twice was in doubt
    assertThat(delivered.size() - delivered.stream().distinct().count())
        .isBetween(1L, (long) doubtful);
  }

  @Test
  void aHostThatIsFullAndAFilterThatIsFullAreRefusedBeforeTheFilterIsTold() {
    VisitQueue byHost = settings().maxPerHost(1).build();
    assertThat(byHost.push(URL).isAccepted()).isTrue();
    assertThat(byHost.push(URL).status()).isEqualTo(Status.DUPLICATE);
    assertThat(byHost.push(URL + 1).status()).isEqualTo(Status.REJECTED);
    assertThat(byHost.mightHaveSeen(URL + 1)).isFalse();
    assertThat(byHost.pushAgain(URL).isAccepted()).isTrue();

    VisitQueue small = settings().expectedKeys(2).onFull(OnFull.REJECT).build();
    assertThat(small.push(URL + 2).isAccepted()).isTrue();
    assertThat(small.push(URL + 3).status()).isEqualTo(Status.FULL); // another has put one too
    assertThat(small.push(URL + 2).status()).isEqualTo(Status.DUPLICATE);
    assertThat(small.mightHaveSeen(URL + 3)).isFalse();
    assertThat(small.stats().seenKeys()).isEqualTo(2);
    assertThat(small.stats().fill()).isEqualTo(1.0);
  }

  @Test
  void whatDoesNotGoTogetherIsRefused() throws IOException {
    assertThatThrownBy(() -> settings().onFull(OnFull.GROW).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("OnFull.GROW");
    assertThatThrownBy(() -> settings().exactConfirmation().open(directory.resolve("x")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("exactConfirmation");
    open("ours").close();
    assertThatThrownBy(() -> VisitQueue.open(directory.resolve("ours")))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("the filter that it shares");
    VisitQueue.builder().expectedKeys(10_000).fpp(1e-9).open(directory.resolve("local")).close();
    assertThatThrownBy(() -> settings().key(UrlKey.STRICT).open(directory.resolve("local")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sharedFilter");
  }
}
