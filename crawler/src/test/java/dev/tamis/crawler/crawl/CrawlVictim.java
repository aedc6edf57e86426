package dev.tamis.crawler.crawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.JvmCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A crawl in a process of its own, which is killed without warning. */
final class CrawlVictim {

  private static final int LONGEST_WAIT_MICROS = 3000;

  private CrawlVictim() {}

  /** Goes on with the crawl of a URL in a folder. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path folder = Path.of(args[1]);
    try (Crawl crawl =
        Crawl.builder()
            .userAgent("tester/1.0")
            .delay(Duration.ZERO)
            .start(args[0])
            .pages(folder.resolve("pages.tsv"))
            .resume(folder.resolve("queue"))) {
      if (crawl.run().pending() > 0) {
        throw new IllegalStateException("it ended before it was done");
      }
    }
  }

  /** Runs the crawl to its end or to a number of requests; returns whether it was killed. */
  static boolean run(Site site, String start, Path folder, int killAt, Random random)
      throws IOException, InterruptedException {
    int before = site.requests().size();
    Process process =
        new ProcessBuilder(
                JvmCommand.of(
                    List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                    CrawlVictim.class,
                    site.url(start),
                    folder))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .start();
    while (process.isAlive() && site.requests().size() - before < killAt) {
      LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
    }
    if (process.isAlive()) {
      LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(LONGEST_WAIT_MICROS)));
      process.destroyForcibly();
    }
    int status = process.waitFor();
    assertThat(status).as(Files.readString(folder.resolve("output"))).isIn(0, 128 + 9);
    return status != 0;
  }
}
