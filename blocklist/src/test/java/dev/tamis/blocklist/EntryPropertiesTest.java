package dev.tamis.blocklist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Thorough;
import dev.tamis.blocklist.Blocklist.Form;
import dev.tamis.fuzz.Pieces;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What holds of any entry and any query, over lines made of the parts that are hard to read. */
class EntryPropertiesTest {

  private static final int LINES = Thorough.or(4_000, 40_000);

  private static final String[] PARTS =
      Pieces.split(
          """
          http:// HTTPS: // \\\\ || / \\ ? # @ : :: [ ] . .. %2e %2E%2e %2f %5C % %41 %24 %2561 \
          $ $all * ^ | a B é ß %C3%9F x.example a.b.example 192.0.2.7 2001:db8::7 \
          ::ffff:192.0.2.7 [2001:db8::7] /24 /32 /64 :80 :811 0x7f 1 a+b@ IPv6: ␠ \t \uD800 \
          \u3002 \uFF11\
          """);

  @Test
  void anEntryReadsItsOwnTextAsItself() {
    SplittableRandom random = new SplittableRandom(1);
    int read = 0;
    for (int i = 0; i < LINES; i++) {
      List<ListEntry> entries = entries(line(random));
      for (ListEntry entry : entries) {
        assertThat(ListEntry.parse(entry.text())).isEqualTo(entry);
        assertThat(ListLine.parse(entry.text())).containsExactly(entry);
      }
      read += entries.size();
    }
    assertThat(read).isGreaterThan(LINES / 100);
  }

  @Test
  void aQueryThatIsReadIsFoundWhereItIsListed() {
    SplittableRandom random = new SplittableRandom(2);
    int urls = 0;
    for (int i = 0; i < LINES; i++) {
      String line = line(random);
      Subject subject;
      try {
        subject = Subject.parse(line);
      } catch (IllegalArgumentException e) {
        continue;
      }
      assertThat(Subject.parse(subject.toString())).hasToString(subject.toString());
      ListEntry own = ListEntry.parse(subject.toString());
      assertThat(texts(own, subject)).as(line).containsExactly(own.text());
      for (ListEntry entry : entries(line)) {
        if (entry.form() == Form.URL && !line.contains(" ")) { // after which there may be a comment
          urls++;
          assertThat(texts(entry, subject)).as(line).containsExactly(entry.text());
        }
      }
    }
    assertThat(urls).isGreaterThan(LINES / 200);
  }

  @Test
  void networksHaveTheAddressesThatArithmeticSays() throws UnknownHostException {
    SplittableRandom random = new SplittableRandom(3);
    int matches = 0;
    for (int i = 0; i < LINES; i++) {
      byte[] bytes = new byte[i % 2 == 0 ? 4 : 16];
      random.nextBytes(bytes);
      int bits = Byte.SIZE * bytes.length;
      int prefixBits = 1 + random.nextInt(bits - 1);
      BigInteger first = new BigInteger(1, bytes).shiftRight(bits - prefixBits);
      BigInteger network = first.shiftLeft(bits - prefixBits);
      ListEntry entry = ListEntry.parse(text(network, bytes.length) + "/" + prefixBits);
      BigInteger other = new BigInteger(1, bytes).flipBit(random.nextInt(bits));
      boolean within = other.shiftRight(bits - prefixBits).equals(first);
      Subject subject = Subject.parse(text(other, bytes.length));
      assertThat(texts(entry, subject).contains(entry.text())).isEqualTo(within);
      matches += within ? 1 : 0;
    }
    assertThat(matches).isBetween(LINES / 4, LINES * 3 / 4);
  }

  private static String text(BigInteger address, int length) throws UnknownHostException {
    byte[] bytes = new byte[length];
    byte[] number = address.toByteArray();
    int count = Math.min(length, number.length);
    System.arraycopy(number, number.length - count, bytes, length - count, count);
    return InetAddress.getByAddress(bytes).getHostAddress();
  }

  private static List<String> texts(ListEntry entry, Subject subject) {
    return KeyForms.NONE.and(entry).keys(subject, false).stream().map(KeyForms.Key::text).toList();
  }

  private static List<ListEntry> entries(String line) {
    try {
      return ListLine.parse(line);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageStartingWith("expected ").hasMessageContaining(", got '");
      return List.of();
    }
  }

  private static String line(SplittableRandom random) {
    StringBuilder line = new StringBuilder(random.nextInt(2) == 0 ? "" : "http://x.example/");
    for (int parts = random.nextInt(1, 8); parts > 0; parts--) {
      line.append(PARTS[random.nextInt(PARTS.length)]);
    }
    return line.toString();
  }
}
