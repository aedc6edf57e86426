package dev.tamis.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DropRepeatsTest {

  @Test
  void printsEachLinkOnceAndTheAccount() throws IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    DropRepeats.run(Path.of("links.txt"), new PrintStream(printed, true, UTF_8));
    assertThat(printed.toString(UTF_8).lines())
        .hasSize(2695 + 1) // what sort -u says, and the account
        .last()
        .asString()
        .contains("seen=9026, unique=2695");
  }
}
