package dev.tamis.records;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonKeyTest {

  @Test
  void aStringIsTheKeyThatTheSameLineHas() throws Exception {
    assertThat(key("{\"a\":\"http://x/\"}", "a")).contains(hex("http://x/"));
    assertThat(key("{\"a\":\"\\u00e9\"}", "a")).contains(hex("é"));
    assertThat(key("{\"a\":\"é\"}", "a")).contains(hex("é"));
    assertThat(key("{\"a\":\"\"}", "a")).contains("");
  }

  @Test
  void aStringWithoutEscapesIsNotCopied() throws Exception {
    JsonKey key = JsonKey.of(List.of("a"));
    byte[] record = "{\"a\":\"xyz\"}".getBytes(UTF_8);
    assertThat(key.find(record, 0, record.length)).isTrue();
    assertThat(key.buffer()).isSameAs(record);
    assertThat(key.start()).isEqualTo(6);
    assertThat(key.length()).isEqualTo(3);
  }

  @Test
  void equalNumbersHaveOneKey() throws Exception {
    assertNumber("1", "1", "1.0", "1e0", "1E+0", "10e-1", "0.1e1", "1.000");
    assertNumber("0", "0", "-0", "0.0", "-0.000e9", "0e999999999");
    assertNumber("-1e2", "-100", "-1e2", "-1.00E2", "-0.1e3");
    assertNumber("15e-1", "1.5", "15e-1", "0.15e1");
    assertNumber("1e999999999", "1e999999999", "10e999999998", "0.1e1000000000");
    assertNumber("1e-99999999999999999999", "1e-99999999999999999999", "0.1e-99999999999999999998");
    assertNumber("9007199254740993", "9007199254740993");
    assertNumber("9007199254740992", "9007199254740992");
  }

  private static void assertNumber(String canonical, String... equal) throws Exception {
    for (String number : equal) {
      assertThat(key("{\"a\":" + number + "}", "a")).contains("ff" + hex(canonical));
    }
  }

  @Test
  void aNumberIsTheUnscaledValueAndScaleOfADecimal() throws Exception {
    Random random = new Random(33);
    for (int i = 0; i < 10_000; i++) {
      String number =
          new BigDecimal(
                  new java.math.BigInteger(random.nextInt(80), random), random.nextInt(60) - 30)
              .multiply(BigDecimal.TEN.pow(random.nextInt(5)))
              .multiply(new BigDecimal(random.nextBoolean() ? 1 : -1))
              .toString();
      BigDecimal stripped = new BigDecimal(number).stripTrailingZeros();
      int power = -stripped.scale();
      String expected = stripped.unscaledValue() + (power == 0 ? "" : "e" + power);
      assertThat(key("{\"a\":" + number + "}", "a")).as(number).contains("ff" + hex(expected));
    }
  }

  @Test
  void valuesOfDifferentTypesHaveDifferentKeys() throws Exception {
    assertThat(
            List.of(
                key("{\"a\":1}", "a"),
                key("{\"a\":\"1\"}", "a"),
                key("{\"a\":true}", "a"),
                key("{\"a\":\"true\"}", "a"),
                key("{\"a\":false}", "a"),
                key("{\"a\":\"false\"}", "a"),
                key("{\"a\":\"\"}", "a")))
        .doesNotHaveDuplicates()
        .doesNotContain(Optional.empty());
  }

  @Test
  void absentNullObjectAndArrayAreNoKey() throws Exception {
    for (String record :
        new String[] {"{}", "{\"a\":null}", "{\"a\":{}}", "{\"a\":[1]}", "[]", "1", "\"a\""}) {
      assertThat(key(record, "a")).as(record).isEmpty();
    }
    assertThat(key("{\"a\":1}", "a", "b")).isEmpty();
    assertThat(key("{\"a\":1,\"b\":null}", "a", "b")).isEmpty();
  }

  @Test
  void aCompoundKeyIsUnambiguous() throws Exception {
    assertThat(key("{\"a\":\"x\",\"b\":2}", "a", "b")).contains("78feff32");
    assertThat(key("{\"a\":\"x\",\"b\":2}", "b", "a")).contains("ff32fe78");
    assertThat(
            List.of(
                key("{\"a\":\"xy\",\"b\":\"\"}", "a", "b"),
                key("{\"a\":\"x\",\"b\":\"y\"}", "a", "b"),
                key("{\"a\":\"\",\"b\":\"xy\"}", "a", "b"),
                key("{\"a\":\"x\\u00fey\",\"b\":\"\"}", "a", "b"),
                key("{\"a\":\"x\",\"b\":\"\\u00fey\"}", "a", "b")))
        .doesNotHaveDuplicates();
  }

  @Test
  void longKeysGrowTheBuffer() throws Exception {
    String text = "\\u00e9".repeat(10_000);
    assertThat(key("{\"a\":\"" + text + "\",\"b\":\"" + text + "\"}", "a", "b"))
        .contains(hex("é".repeat(10_000)) + "fe" + hex("é".repeat(10_000)));
    String digits = "9".repeat(JsonMembers.MAX_NUMBER_BYTES - 20);
    assertThat(key("{\"a\":" + digits + "e-123456789012345678}", "a"))
        .contains("ff" + hex(digits + "e-123456789012345678"));
  }

  private static Optional<String> key(String record, String... members) throws Exception {
    JsonKey key = JsonKey.of(List.of(members));
    byte[] bytes = record.getBytes(UTF_8);
    return key.find(bytes, 0, bytes.length)
        ? Optional.of(
            HexFormat.of().formatHex(key.buffer(), key.start(), key.start() + key.length()))
        : Optional.empty();
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(UTF_8));
  }
}
