package dev.tamis.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpamFilterTest {

  @TempDir Path directory;

  @Test
  void blocksWhatIsListedAndNoneOfTheKnownGood() throws IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, UTF_8);
    Path saved = directory.resolve("spam.block");
    SpamFilter.build(Path.of("blocklist.txt"), Path.of("known-good.txt"), saved, out);
    SpamFilter.judge(saved, Path.of("senders.txt"), out);
    assertThat(printed.toString(UTF_8))
        .isEqualTo(
            """
            known-good.txt:7: 'shop@tenminutes.example' is known good, but listed as \
            'tenminutes.example' in spam; it will be allowed
            Blocklist(lists=[spam], entries=23, allow=1, exceptions=0, fpp=1.0E-6, exact=true, \
            hash=xxh3 with seed 0)
            ann@customer.example UNLISTED
            winner@lottery.example BLOCKED
              LISTED winner@lottery.example
            winner+again@lottery.example BLOCKED
              LISTED winner@lottery.example
            someone@throwaway.example BLOCKED
              LISTED throwaway.example
            info@www.cheap-pills.example BLOCKED
              LISTED .cheap-pills.example
            support@freehosting.example UNLISTED
            me@myblog.freehosting.example BLOCKED
              LISTED *.freehosting.example
            spieler@GLÜCKSSPIEL.example BLOCKED
              LISTED xn--glcksspiel-beb.example
            shop@tenminutes.example ALLOWED
              KNOWN_GOOD shop@tenminutes.example
              LISTED tenminutes.example
            other@tenminutes.example BLOCKED
              LISTED tenminutes.example
            carol@fine.example UNLISTED
            """);
  }
}
