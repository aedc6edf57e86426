package dev.tamis.examples.docs;

import dev.tamis.Overlapping.Overlap;
import dev.tamis.file.FilterFile;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.BloomFilter.FillState;
import dev.tamis.filter.FilterView;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Sizing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.IntStream;

/** The steps of docs/tutorial.md and docs/tour.jsh. */
final class Tutorial {

  private Tutorial() {}

  static void run(Transcript transcript) throws IOException {
    // region create
    BloomFilter<String> seen = BloomFilter.create(KeyHasher.text(), 1_000_000, 0.01);
    System.out.println(seen.shape());
    // end create
    transcript.end("create");

    // region put
    System.out.println(seen.put("https://example.org/a"));
    System.out.println(seen.put("https://example.org/a"));
    System.out.println(seen.mightContain("https://example.org/a"));
    System.out.println(seen.mightContain("https://example.org/b"));
    // end put
    transcript.end("put");

    // region fill
    for (int i = 1; i < 1_000_000; i++) {
      seen.put("https://example.org/" + i);
    }
    int falsePositives = 0;
    for (int i = 0; i < 1_000_000; i++) {
      falsePositives += seen.mightContain("https://example.com/never-put/" + i) ? 1 : 0;
    }
    System.out.println("false positives in a million lookups: " + falsePositives);
    System.out.printf(Locale.ROOT, "fpp computed from the set bits: %.4f%n", seen.expectedFpp());
    System.out.println("about " + seen.approximateElementCount().rounded() + " distinct keys");
    // end fill
    transcript.end("fill");

    // region overfill
    BloomFilter<String> small = BloomFilter.create(KeyHasher.text(), 1_000, 0.01);
    for (int i = 0; i < 3_000; i++) {
      small.put("key " + i);
    }
    FillState state = small.fillState();
    System.out.printf(Locale.ROOT, "%.0f %% of the bits set, ", 100 * state.fractionFilled());
    System.out.printf(
        Locale.ROOT, "about %d keys, fpp %.2f%n", state.keys().rounded(), state.fpp());
    // end overfill
    transcript.end("overfill");

    // region size
    Sizing sizing = Sizing.builder().expectedKeys(1_000_000_000).fpp(1e-4).solve();
    System.out.printf(Locale.ROOT, "%.2f GB%n", sizing.shape().bits() / 8e9);
    // end size
    transcript.end("size");

    // region grow
    ScalableBloomFilter<String> growing = ScalableBloomFilter.create(KeyHasher.text(), 1_000, 0.01);
    for (int i = 0; i < 100_000; i++) {
      growing.put("key " + i);
    }
    System.out.printf(
        Locale.ROOT, "%d stages, fpp %.4f%n", growing.stages().size(), growing.expectedFpp());
    // end grow
    transcript.end("grow");

    // region save
    Path file = Files.createTempDirectory("tutorial").resolve("seen.tamis");
    FilterFile.save(file, seen);
    BloomFilter<String> loaded = FilterFile.loadBloom(file, KeyHasher.text());
    System.out.println(Files.size(file) + " bytes, equal: " + loaded.equals(seen));
    // end save
    transcript.end("save");

    // region map
    FilterView<String> mapped = FilterFile.map(file, KeyHasher.text());
    System.out.println(mapped.mightContain("https://example.org/a"));
    // end map
    transcript.end("map");

    // region merge
    BloomFilter<String> monday = BloomFilter.create(KeyHasher.text(), 10_000, 0.01);
    BloomFilter<String> tuesday = BloomFilter.create(KeyHasher.text(), 10_000, 0.01);
    for (int i = 0; i < 5_000; i++) {
      monday.put("user " + i);
      tuesday.put("user " + (i + 2_000));
    }
    Overlap overlap = monday.estimateOverlap(tuesday);
    System.out.println("on both days, about " + overlap.intersection().rounded());
    monday.putAll(tuesday);
    System.out.println("on either day, about " + monday.approximateElementCount().rounded());
    // end merge
    transcript.end("merge");

    // region share
    BloomFilter<String> shared = BloomFilter.create(KeyHasher.text(), 1_000_000, 1e-9);
    long winners =
        IntStream.range(0, 1_000_000)
            .parallel()
            .filter(i -> shared.put("key " + i % 250_000))
            .count();
    System.out.println("puts that returned true: " + winners);
    // end share
    transcript.end("share");
    Files.delete(file);
  }
}
