package dev.tamis.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The program in docs/interop.md is this one, and it works. */
class InteropDocumentTest {

  private static final Path DOCUMENT = Path.of("..", "docs", "interop.md");
  private static final Path SOURCE =
      Path.of("src", "test", "java", "dev", "tamis", "interop", "InteropDocumentTest.java");

  private static boolean example(InputStream in, OutputStream out) throws IOException {
    // begin
    GuavaBloomFilter<CharSequence> users =
        GuavaBloomFilter.readFrom(in, KeyHasher.text(), 64 << 20); // at most 64 MiB
    boolean mayBeThere = users.mightContain("alice"); // Guava's answer
    users.put("bob");
    users.writeForeignTo(out); // Guava reads this
    // end
    return mayBeThere;
  }

  @Test
  void theProgramReadsAndWritesGuavasBytes() throws IOException {
    BloomFilter<CharSequence> there = BloomFilter.create(Funnels.stringFunnel(UTF_8), 100, 0.001);
    there.put("alice");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    there.writeTo(bytes);
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    assertThat(example(new ByteArrayInputStream(bytes.toByteArray()), out)).isTrue();

    there.put("bob");
    assertThat(
            BloomFilter.readFrom(
                new ByteArrayInputStream(out.toByteArray()), Funnels.stringFunnel(UTF_8)))
        .isEqualTo(there);
  }

  @Test
  void theDocumentHasItWordForWord() throws IOException {
    String source = Files.readString(SOURCE, UTF_8);
    String program =
        source
            .substring(source.indexOf("// begin\n") + 9, source.indexOf("    // end\n"))
            .lines()
            .map(line -> line.substring(4))
            .collect(Collectors.joining("\n"));
    assertThat(Files.readString(DOCUMENT, UTF_8)).contains("```java\n" + program + "\n```");
  }
}
