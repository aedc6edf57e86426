package dev.tamis.crawler.crawl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A crawl in a process of its own, killed without warning and resumed until it is done. */
class KilledCrawlTest {

  private static final int PAGES = 200;

  @TempDir Path directory;

  @Test
  @Timeout(60)
  void aCrawlThatIsKilledThreeTimesHasEveryPageOnce() throws Exception {
    assertThat(crawlAndKill(3, 60, new Random(1))).isEqualTo(3);
  }

  @Test
  @Tag("thorough")
  @Timeout(600)
  void crawlsThatAreKilledTwoHundredTimesHaveEveryPageOnce() throws Exception {
    Random random = new Random(2);
    int kills = 0;
    for (int round = 0; kills < 200; round++) {
      Path folder = Files.createDirectory(directory.resolve("round-" + round));
      kills += crawlAndKill(folder, 200 - kills, 12, random);
    }
    assertThat(kills).isEqualTo(200);
  }

  private int crawlAndKill(int mostKills, int mostRequests, Random random) throws Exception {
    return crawlAndKill(directory, mostKills, mostRequests, random);
  }

  /** Crawls a site to the end and returns how often that was interrupted. */
  private static int crawlAndKill(Path folder, int mostKills, int mostRequests, Random random)
      throws Exception {
    try (Site site = new Site()) {
      for (int i = 0; i < PAGES; i++) {
        site.page("/" + i, "/" + (i + 1) % PAGES, "/" + i * 2 % PAGES, "/missing/" + i % 7);
      }
      int kills = 0;
      boolean done = false;
      while (!done) {
        int killAt = kills < mostKills ? 1 + random.nextInt(mostRequests) : Integer.MAX_VALUE;
        done = !CrawlVictim.run(site, "/0", folder, killAt, random);
        kills += done ? 0 : 1;
      }
      assertEveryPageOnce(site, folder.resolve("pages.tsv"));
      assertThat(site.asked().size() - new TreeSet<>(site.asked()).size())
          .as("visits that were under way")
          .isLessThanOrEqualTo(kills);
      return kills;
    }
  }

  private static void assertEveryPageOnce(Site site, Path list) throws IOException {
    List<String> lines = Files.readAllLines(list);
    assertThat(lines.get(0)).isEqualTo(PageRow.HEADER);
    assertThat(lines.stream().skip(1).map(line -> line.split("\t", -1)[0]))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, PAGES + 7)
                .mapToObj(i -> site.url(i < PAGES ? "/" + i : "/missing/" + (i - PAGES)))
                .toList());
  }
}
