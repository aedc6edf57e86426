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
import org.junit.jupiter.api.Test;

/** The program that docs/interop.md shows. */
class InteropDocumentTest {

  private static boolean example(InputStream in, OutputStream out) throws IOException {
    // region example
    GuavaBloomFilter<CharSequence> users =
        GuavaBloomFilter.readFrom(in, KeyHasher.text(), 64 << 20); // at most 64 MiB
    boolean mayBeThere = users.mightContain("alice"); // Guava's answer
    users.put("bob");
    users.writeForeignTo(out); // Guava reads this
    // end example
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
}
