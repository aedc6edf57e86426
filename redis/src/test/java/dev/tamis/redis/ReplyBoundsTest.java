package dev.tamis.redis;

import static dev.tamis.Refusal.refuses;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The limits of replies, however their bytes are split. */
class ReplyBoundsTest {

  @ParameterizedTest
  @CsvSource({"1, elements", "2, bytes", "3, bytes of a line", "4, lists in lists"})
  void aReplyAtALimitIsAcceptedAndALongerOneRefused(int limit, String name) {
    for (int more = 0; more <= 1; more++) {
      String reply =
          switch (limit) {
            case 1 -> "*2\r\n:1\r\n%" + (ReplyBounds.MAX_ELEMENTS / 2 - 1 + more) + "\r\n";
            case 2 -> "*2\r\n$4\r\n*9\r\n\r\n$" + (ReplyBounds.MAX_BYTES - 4 + more) + "\r\n";
            case 3 -> "-" + "x".repeat(ReplyBounds.MAX_LINE - 1 + more);
            default -> "*1\r\n".repeat(ReplyBounds.MAX_DEPTH + more);
          };
      String before = "*3\r\n:1\r\n*-1\r\n*0\r\n$-1\r\n$0\r\n\r\n:-7\r\n>1\r\n+a\r\n";
      if (more == 0) {
        assertThatCode(() -> check(before.repeat(9) + reply)).doesNotThrowAnyException();
      } else {
        refuses(
            IOException.class,
            () -> check(before.repeat(9) + reply),
            "reply: " + name + ": must be at most ");
      }
    }
  }

  private static void check(String replies) throws IOException {
    ByteBuffer all = ByteBuffer.wrap(replies.getBytes(ISO_8859_1));
    SplittableRandom random = new SplittableRandom(1);
    ReplyBounds bounds = new ReplyBounds();
    while (all.hasRemaining()) {
      int count = Math.min(all.remaining(), random.nextInt(1, 9));
      bounds.check(all.slice(all.position(), count));
      all.position(all.position() + count);
    }
  }
}
