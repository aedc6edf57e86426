package dev.tamis.blocklist;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IpAddressTest {

  @ParameterizedTest
  @CsvSource({
    "192.0.2.7,                 192.0.2.7",
    "0.0.0.0,                   0.0.0.0",
    "255.255.255.255,           255.255.255.255",
    "::,                        ::",
    "::1,                       ::1",
    "2001:DB8::0001,            2001:db8::1",
    "2001:db8:0:0:1:0:0:1,      2001:db8::1:0:0:1",
    "2001:db8:0:1:1:1:1:1,      2001:db8:0:1:1:1:1:1",
    "1:0:0:2:0:0:0:3,           1:0:0:2::3",
    "fe80::,                    fe80::",
    "0:0:0:0:0:0:0:0,           ::",
    "1::2:3:4:5:6:7,            1:0:2:3:4:5:6:7",
    "64:ff9b::192.0.2.33,       64:ff9b::c000:221",
    "::ffff:192.0.2.7,          192.0.2.7",
    "::FFFF:c000:207,           192.0.2.7",
    "0:0:0:0:0:ffff:192.0.2.7,  192.0.2.7",
    "::192.0.2.7,               ::c000:207",
  })
  void readsEveryNotationAndWritesOne(String text, String canonical) {
    assertThat(IpAddress.parse(text).orElseThrow()).hasToString(canonical);
    assertThat(IpAddress.parse(canonical)).isEqualTo(IpAddress.parse(text));
  }

  @Test
  void refusesWhatProgramsReadInDifferentWays() {
    for (String text :
        """
        1.2.3 1.2.3.4.5 1.2.3.256 01.2.3.4 1.2.3.4. 0x7f.0.0.1 2130706433 : ::: \
        1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1::2::3 1:2:3:4:5:6:7::8 12345:: g:: ::1%lo0 [::1] \
        ::1.2.3 ::01.2.3.4 1.2.3.4:: ::٣ 1:2:3:4:5:6:7:1.2.3.4 ::1: :1::\
        """
            .split(" ", -1)) {
      assertThat(IpAddress.parse(text)).as(text).isEmpty();
    }
    assertThat(IpAddress.parse("")).isEmpty();
  }

  @Test
  void readsWhatTheJdkWrites() throws UnknownHostException {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 10_000; i++) {
      byte[] bytes = new byte[16];
      for (int group = 0; group < 8; group++) {
        int value = random.nextInt(3) == 0 ? 0 : random.nextInt(1 << random.nextInt(17));
        bytes[2 * group] = (byte) (value >> 8);
        bytes[2 * group + 1] = (byte) value;
      }
      bytes[0] = 1; // not mapped, which the JDK makes IPv4
      InetAddress address = InetAddress.getByAddress(bytes);
      IpAddress ours = IpAddress.parse(address.getHostAddress()).orElseThrow();
      assertThat(InetAddress.getAllByName(ours.toString())).containsExactly(address);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.0/24,              192.0.2.0/24",
    "128.0.0.0/1,               128.0.0.0/1",
    "192.0.2.6/31,              192.0.2.6/31",
    "192.0.2.7/32,              192.0.2.7/32",
    "0.0.0.0/0,                 0.0.0.0/0",
    "2001:DB8::/32,             2001:db8::/32",
    "[2001:db8::]/32,           2001:db8::/32",
    "2001:db8:0:0:8000::/65,    2001:db8:0:0:8000::/65",
    "2001:db8::2/127,           2001:db8::2/127",
    "::/64,                     ::/64",
    "::1/128,                   ::1/128",
    "::ffff:192.0.2.0/120,      192.0.2.0/24",
    "::ffff:0:0/96,             0.0.0.0/0",
  })
  void readsNetworks(String text, String canonical) {
    assertThat(IpAddress.Network.parse(text)).hasToString(canonical);
    assertThat(IpAddress.Network.isMeant(text)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.7/24,       '192.0.2.0/24, or 192.0.2.7 for one address'",
    "192.0.2.1/31,       '192.0.2.0/31, or 192.0.2.1 for one address'",
    "2001:db8::1/64,     '2001:db8::/64, or 2001:db8::1 for one address'",
    "::ffff:0:0/95,      a prefix length of 96 to 128",
    "192.0.2.0/33,       a prefix length of 0 to 32",
    "192.0.2.0/024,      a prefix length of 0 to 32",
    "2001:db8::/129,     a prefix length of 0 to 128",
    "192.0.2/24,         a network such as",
    "192.0.2.0/,         a network such as",
    "192.0.2.0/99999,    a network such as",
    "192.0.2.0/-1,       a network such as",
  })
  void refusesNetworksThatAreNot(String text, String expected) {
    refuses(() -> IpAddress.Network.parse(text), expected, ", got '" + text + "'");
  }
}
