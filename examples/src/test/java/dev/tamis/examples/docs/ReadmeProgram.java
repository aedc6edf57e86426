package dev.tamis.examples.docs;

import dev.tamis.file.FilterFile;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The program in the README. */
final class ReadmeProgram {

  private ReadmeProgram() {}

  static void run(Transcript transcript) throws IOException {
    // region program
    BloomFilter<String> seen = BloomFilter.create(KeyHasher.text(), 1_000_000, 0.01);
    System.out.println(seen.put("https://example.org/")); // true: certainly new
    System.out.println(seen.put("https://example.org/")); // false: probably here already
    Path file = Path.of("seen.tamis");
    FilterFile.save(file, seen);
    BloomFilter<String> loaded = FilterFile.loadBloom(file, KeyHasher.text());
    System.out.println(loaded.mightContain("https://example.org/"));
    System.out.println(loaded.mightContain("https://example.org/never-put"));
    // end program
    transcript.end("program");
    Files.delete(file);
  }
}
