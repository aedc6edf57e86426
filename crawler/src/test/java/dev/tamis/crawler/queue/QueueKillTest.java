package dev.tamis.crawler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.JvmCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed at any instant loses nothing and delivers nothing twice. */
class QueueKillTest {

  /** URLs polled after each kill; in the end all of them are polled. */
  private static final int MAX_ASKED = 1_000;

  @TempDir private Path directory;

  /** URLs that must still come, and those that must not come any more. */
  private final Set<String> owed = new HashSet<>();

  private final Set<String> done = new HashSet<>();

  /** The URL of an operation whose outcome is unknown: either is right. */
  private final Set<String> open = new HashSet<>();

  /** Polls whose outcome is unknown: each may have taken one URL. */
  private int unknownPolls;

  @Test
  void aFewKills() throws Exception {
    kill(3, 2_000, 1, false);
  }

  @Test
  void aFewKillsWithHosts() throws Exception {
    kill(3, 2_000, 2, true);
  }

  @Test
  @Tag("thorough")
  void threeHundredKills() throws Exception {
    kill(300, 600, 3, false);
  }

  @Test
  @Tag("thorough")
  void threeHundredKillsWithHosts() throws Exception {
    kill(300, 600, 4, true);
  }

  private void kill(int times, int mostLines, long seed, boolean byHost) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    long next = 0;
    for (int i = 0; i < times; i++) {
      List<String> said = runAndKill(random, byHost, next, mostLines);
      next += note(said);
      check(byHost);
    }
    assertThat(owed).isNotEmpty();
    assertThat(done).hasSizeGreaterThan(times);
    List<String> drained;
    try (VisitQueue queue = QueueVictim.settings(byHost).open(directory)) {
      drained = Queues.drain(queue);
    }
    assertThat(drained).doesNotHaveDuplicates().doesNotContainAnyElementsOf(done);
    Set<String> missing = new HashSet<>(owed);
    drained.forEach(missing::remove);
    assertThat(missing).hasSizeLessThanOrEqualTo(unknownPolls);
    Set<String> extra = new HashSet<>(drained);
    extra.removeAll(owed);
    assertThat(open).containsAll(extra);
  }

  /** Lets a process work for a while, kills it, and returns what it said. */
  private List<String> runAndKill(SplittableRandom random, boolean byHost, long next, int mostLines)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                JvmCommand.of(
                    List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                    QueueVictim.class,
                    directory,
                    random.nextLong(),
                    byHost,
                    next))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> said = new ArrayList<>();
    int lines =
        random.nextInt(mostLines); // an instant that does not depend on how busy the machine is
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line = reader.readLine();
      while (line != null && said.size() < lines) {
        said.add(line);
        line = reader.readLine();
      }
      process.toHandle().destroyForcibly(); // that of the process would close its streams
      while (line != null) {
        said.add(line);
        line = reader.readLine();
      }
    }
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isNotIn(0, 1); // killed, not failed
    return said;
  }

  /** Takes in what the process said and returns how many pushes it began. */
  private long note(List<String> said) {
    long pushes = 0;
    String last = "";
    for (String line : said) {
      String url = line.substring(line.indexOf(' ') + 1);
      if (line.startsWith("push ")) {
        pushes++;
      } else if (line.startsWith("pushed ")) {
        owed.add(url);
      } else if (line.startsWith("acked ") || line.startsWith("polled http")) {
        assertThat(done.add(url)).as("%s was delivered once only", url).isTrue();
        owed.remove(url);
        open.remove(url);
      }
      last = line;
    }
    String url = last.substring(last.indexOf(' ') + 1);
    if (last.startsWith("push ")) {
      open.add(url);
    } else if (last.startsWith("ack ")) {
      owed.remove(url);
      open.add(url);
    } else if (last.equals("poll")) {
      unknownPolls++;
    }
    return pushes;
  }

  private static void assertSeen(VisitQueue queue, String url) {
    assertThat(queue.mightHaveSeen(url)).as(url).isTrue();
  }

  /** Opens the queue after the kill and compares what it says of itself with what is known. */
  private void check(boolean byHost) throws IOException {
    try (VisitQueue queue = QueueVictim.settings(byHost).open(directory)) {
      QueueStats stats = queue.stats();
      assertThat(stats.inFlight()).isZero();
      assertThat(stats.pending())
          .isBetween((long) owed.size() - unknownPolls, (long) owed.size() + open.size());
      assertThat(stats.accepted()).isEqualTo(stats.delivered() + stats.pending());
      owed.stream().limit(MAX_ASKED).forEach(url -> assertSeen(queue, url));
      done.stream().limit(MAX_ASKED).forEach(url -> assertSeen(queue, url));
      queue.abandon();
    }
  }
}
