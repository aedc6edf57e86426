package dev.tamis.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrintableTest {

  @ParameterizedTest
  @CsvSource({
    "001b, escape",
    "0007, bell",
    "000d, carriage return",
    "000a, line feed in one line",
    "0009, tab in one line",
    "007f, delete",
    "0080, first of C1",
    "009b, control sequence introducer",
    "009f, last of C1",
    "00ad, soft hyphen",
    "200b, zero width space",
    "200e, left-to-right mark",
    "202e, right-to-left override",
    "2028, line separator",
    "2029, paragraph separator",
    "2066, left-to-right isolate",
    "feff, byte order mark",
    "d800, surrogate alone",
    "e000, private use",
    "ffff, no character"
  })
  void whatSteersATerminalIsEscaped(String point, String why) {
    String text = "a" + (char) Integer.parseInt(point, 16) + "b";
    assertThat(Printable.line(text)).as(why).isEqualTo("a\\u" + point + "b");
  }

  @Test
  void charactersBeyondTheFirstPlaneAreEscapedAsJsonDoes() {
    assertThat(Printable.line(new StringBuilder().appendCodePoint(0xE0001).toString()))
        .isEqualTo("\\udb40\\udc01");
  }

  @Test
  void whatPeopleWriteStays() {
    String text = "naïve Straße 東京 עברית \uD83D\uDE00 C:\\tmp ~ ¡";
    assertThat(Printable.line(text)).isSameAs(text);
    assertThat(Printable.lines("a\tb\n" + text)).isEqualTo("a\tb\n" + text);
    assertThat(Printable.lines("a\r\n\u001b[31m")).isEqualTo("a\\u000d\n\\u001b[31m");
  }

  @Test
  void messagesTracesAndTablesAreEscapedAndDataIsNot() throws IOException {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Messages messages = new Messages(new PrintStream(err, true, StandardCharsets.UTF_8), List.of());
    messages.line("\u001b]0;title\u0007");
    messages.trace(new IOException("\u001b[2J\u009b2J"));
    Streams streams = new Streams(InputStream.nullInputStream(), out, messages);
    streams.print("\u202etext\n");
    streams.write("\u202edata\n");
    assertThat(err.toString(StandardCharsets.UTF_8))
        .startsWith("\\u001b]0;title\\u0007\n")
        .contains("java.io.IOException: \\u001b[2J\\u009b2J\n\tat ");
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("\\u202etext\n\u202edata\n");
  }
}
