package dev.tamis.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.file.FilterFile;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.hash.KeyHasher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scrapy's filter of requests in Python, with the little of Scrapy that it needs. */
class ScrapyTest {

  private static final String CRAWL =
      """
      import sys
      sys.path[:0] = [sys.argv[1], "."]
      from scrapy_dupefilter import TamisDupeFilter

      class Crawler:
          settings = {"TAMIS_DUPEFILTER_FILE": sys.argv[2]}
          class request_fingerprinter:
              fingerprint = staticmethod(lambda request: request.encode())

      seen = TamisDupeFilter.from_crawler(Crawler)
      print(*[seen.request_seen(request) for request in sys.argv[3:]])
      seen.close("finished")
      """;

  @TempDir Path folder;
  private Path file;
  private Python python;

  @BeforeEach
  void stub() throws Exception {
    python = new Python(folder);
    python.assumeInstalled();
    Path scrapy = Files.createDirectories(folder.resolve("scrapy"));
    Files.writeString(scrapy.resolve("__init__.py"), "", UTF_8);
    Files.writeString(scrapy.resolve("dupefilters.py"), "class BaseDupeFilter:\n    pass\n", UTF_8);
    file = folder.resolve("seen.tamis");
  }

  @Test
  void aRequestIsSeenOnceItWasPutAlsoByTheNextCrawlAndInJava() throws Exception {
    FilterFile.save(file, BloomFilter.create(KeyHasher.bytes(), 1_000, 1e-6));
    assertThat(crawl("a", "b", "a").out().strip()).isEqualTo("False False True");
    assertThat(crawl("b", "c").out().strip()).isEqualTo("True False");
    BloomFilter<byte[]> loaded = FilterFile.loadBloom(file, KeyHasher.bytes());
    assertThat(List.of("a", "b", "c")).allMatch(key -> loaded.mightContain(key.getBytes(UTF_8)));
    assertThat(loaded.approximateElementCount().rounded()).isEqualTo(3);
  }

  @Test
  void aFilterOfAnotherKindIsRefused() throws Exception {
    FilterFile.save(file, ScalableBloomFilter.create(KeyHasher.bytes(), 1_000, 1e-6));
    Python.Run run = crawl("a");
    assertThat(run.exit()).isNotZero();
    assertThat(run.err()).contains("must be a Bloom filter");
  }

  private Python.Run crawl(String... requests) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-c", CRAWL));
    arguments.addAll(List.of(folder.toString(), file.toString()));
    arguments.addAll(List.of(requests));
    return python.run(arguments, folder);
  }
}
