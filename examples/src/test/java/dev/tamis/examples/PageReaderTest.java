package dev.tamis.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.HashedFilter;
import dev.tamis.explorer.Node;
import dev.tamis.sketch.CountMinSketch;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The explorer page answers as the filters do that wrote the files, for each single key. */
class PageReaderTest {

  private final List<byte[]> keys = Samples.keys(2);
  private final List<Sample> samples = new Samples(keys).all();

  @Test
  void answersForEachKeyAsTheFilterDoes(@TempDir Path folder) throws Exception {
    Node.assumeInstalled();
    assertThat(samples.size() * keys.size()).isGreaterThan(100_000);
    Files.write(folder.resolve("keys"), packed());
    for (int i = 0; i < samples.size(); i++) {
      Files.write(folder.resolve(i + ".tamis"), samples.get(i).content().toByteArray());
    }
    Node.Run page =
        Node.run(
            folder,
            List.of(
                "src/test/page/compare-answers.mjs",
                folder.toAbsolutePath().toString(),
                Samples.SECRET,
                Samples.nanosOfNow()));
    assertThat(page.exit()).as(page.out()).isZero();
    List<String> answers = page.out().lines().toList();
    assertThat(answers).hasSameSizeAs(samples);
    for (int i = 0; i < samples.size(); i++) {
      assertThat(answers.get(i)).as(samples.get(i).name()).isEqualTo(expected(samples.get(i)));
    }
  }

  @SuppressWarnings("unchecked") // all samples are of lines
  private String expected(Sample sample) {
    return keys.stream()
        .map(
            key ->
                sample.content() instanceof CountMinSketch<?> sketch
                    ? String.valueOf(((CountMinSketch<byte[]>) sketch).approximateCount(key))
                    : ((HashedFilter<byte[]>) sample.content()).mightContain(key) ? "1" : "0")
        .collect(Collectors.joining(" "));
  }

  private byte[] packed() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] key : keys) {
      all.writeBytes(
          ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(key.length).array());
      all.writeBytes(key);
    }
    return all.toByteArray();
  }
}
