package dev.tamis.cli.lines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LineWriterTest {

  private static final int BUFFER_BYTES = 1 << 18;

  @Test
  void writesEachLineWithADelimiter() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    LineWriter writer = new LineWriter(out, (byte) 0);
    writer.write(line(new byte[] {1, 2}));
    writer.write(line(new byte[0]));
    assertThat(out.toByteArray()).isEmpty();
    writer.flush();
    assertThat(out.toByteArray()).containsExactly(1, 2, 0, 0);
    assertThat(writer.lines()).isEqualTo(2);
  }

  @Test
  void linesThatJustFitAndJustDoNotComeOutWhole() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    LineWriter writer = new LineWriter(out, (byte) 7);
    for (int around = -2; around <= 2; around++) {
      for (int length : new int[] {BUFFER_BYTES + around, 3, BUFFER_BYTES - 4 + around, 0, 100}) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        writer.write(line(bytes));
        expected.writeBytes(bytes);
        expected.write(7);
      }
    }
    writer.flush();
    assertThat(out.toByteArray()).isEqualTo(expected.toByteArray());
  }

  @Test
  void markedLinesComeOutInTheirOrderHoweverTheyLieSideBySide() throws IOException {
    SplittableRandom random = new SplittableRandom(2);
    byte[] text = new byte[200_000];
    random.nextBytes(text);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    LineWriter writer = new LineWriter(out, (byte) 7);
    long lines = 0;
    boolean[] marks = new boolean[LineReader.MAX_LINES];
    try (LineReader reader =
        TestInputs.reader(
            List.of(TestInputs.input("x", new ByteArrayInputStream(text))),
            LineFormat.plain((byte) 7),
            line -> 0,
            1000)) {
      for (int count = reader.next(); count > 0; count = reader.next()) {
        boolean wanted = random.nextBoolean();
        for (int i = 0; i < count; i++) {
          marks[i] = random.nextInt(3) > 0;
          if (marks[i] == wanted) {
            Line line = reader.line(i);
            expected.write(line.buffer(), line.start(), line.length());
            expected.write(7);
            lines++;
          }
        }
        writer.write(reader, marks, count, wanted);
      }
    }
    writer.flush();
    assertThat(out.toByteArray()).isEqualTo(expected.toByteArray());
    assertThat(writer.lines()).isEqualTo(lines).isGreaterThan(100);
  }

  @Test
  void countsHaveSevenColumnsAndWiderOnesPushTheLine() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    LineWriter writer = new LineWriter(out, (byte) '\n');
    for (long count : new long[] {1, 9_999_999, 10_000_000, Long.MAX_VALUE}) {
      writer.write(count, line(new byte[] {'b'}));
    }
    writer.flush();
    assertThat(out.toString(StandardCharsets.US_ASCII))
        .isEqualTo("      1 b\n9999999 b\n10000000 b\n9223372036854775807 b\n");
  }

  @Test
  void whatCouldNotBeWrittenIsNotWrittenLater() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    OutputStream once =
        new OutputStream() {
          private boolean failed;

          @Override
          public void write(int value) throws IOException {
            if (!failed) {
              failed = true;
              throw new IOException("full");
            }
            out.write(value);
          }
        };
    LineWriter writer = new LineWriter(once, (byte) '\n');
    writer.write(line(new byte[] {1}));
    assertThatThrownBy(writer::flush).hasMessage("full");
    writer.flush();
    assertThat(out.size()).isZero();
  }

  static Line line(byte[] bytes) {
    Line line = new Line();
    line.set(bytes, 0, bytes.length);
    return line;
  }
}
