package dev.tamis.cli.lines;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tamis.cli.lines.TestInputs.Pieces;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Any bytes are records of CSV with keys, wherever read buffers end, or are refused. */
class LineKeyFuzzTest {

  @FuzzTest(maxDuration = "10m")
  void anyBytesAreRecordsOrRefused(byte[] bytes) {
    Optional<List<String>> whole = records(bytes, bytes.length + 1, 1 << 10);
    assertThat(records(bytes, 3, 5)).isEqualTo(whole);
    LineKey key = LineKey.csv(FieldList.ALL, (byte) ',', false);
    LineKey part = LineKey.csv(FieldList.parse("2,4-"), (byte) ',', false);
    for (String text : whole.orElse(List.of())) {
      String values = text(key.of(line(text)));
      assertThat(text(key.of(line(values)))).isEqualTo(values);
      assertThat(text(part.of(line(text)))).isEqualTo(text(part.of(line(values))));
    }
  }

  /** Returns the records with a character for each byte, or nothing if a quote is not closed. */
  private static Optional<List<String>> records(byte[] bytes, int pieceBytes, int blockBytes) {
    List<String> records = new ArrayList<>();
    LineInput input = TestInputs.input("x", new Pieces(bytes, pieceBytes));
    try (LineReader reader =
        TestInputs.reader(
            List.of(input), LineFormat.csv((byte) '\n', (byte) ','), line -> 0, blockBytes)) {
      for (int count = reader.next(); count > 0; count = reader.next()) {
        for (int i = 0; i < count; i++) {
          records.add(text(reader.line(i)));
        }
      }
      return Optional.of(records);
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("has a quote that is not closed");
      return Optional.empty();
    }
  }

  private static Line line(String text) {
    Line line = new Line();
    byte[] bytes = text.getBytes(ISO_8859_1);
    line.set(bytes, 0, bytes.length);
    return line;
  }

  private static String text(Line line) {
    return new String(line.buffer(), line.start(), line.length(), ISO_8859_1);
  }
}
