package dev.tamis.records;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tamis.format.FormatException;
import dev.tamis.records.JsonMembers.Kind;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class JsonMembersTest {

  @Test
  void aMemberIsFoundWithItsKindAndBytes() throws Exception {
    String record =
        "{\"s\":\"a\", \"n\" : -1.5e3,\"t\":true,\"f\":false , \"z\":null,\"o\":{\"s\":[1]},\"a\":["
            + " ]}";
    assertThat(value(record, "s")).isEqualTo("STRING \"a\"");
    assertThat(value(record, "n")).isEqualTo("NUMBER -1.5e3");
    assertThat(value(record, "t")).isEqualTo("TRUE true");
    assertThat(value(record, "f")).isEqualTo("FALSE false");
    assertThat(value(record, "z")).isEqualTo("NULL null");
    assertThat(value(record, "o")).isEqualTo("OBJECT {\"s\":[1]}");
    assertThat(value(record, "a")).isEqualTo("ARRAY [ ]");
    assertThat(value(record, "x")).isEqualTo("ABSENT");
  }

  @Test
  void aPointerLeadsThroughObjectsAndArrays() throws Exception {
    String record = "{\"a\":[{\"b\":1},{\"b\":2}],\"\":3,\"x/y\":4,\"m~n\":{\"~1\":5},\"b\":6}";
    assertThat(value(record, "/a/1/b")).isEqualTo("NUMBER 2");
    assertThat(value(record, "/a/0")).isEqualTo("OBJECT {\"b\":1}");
    assertThat(value(record, "/a/01/b")).isEqualTo("ABSENT");
    assertThat(value(record, "/a/-")).isEqualTo("ABSENT");
    assertThat(value(record, "/a/2")).isEqualTo("ABSENT");
    assertThat(value(record, "/a/1/b/c")).isEqualTo("ABSENT");
    assertThat(value(record, "/")).isEqualTo("NUMBER 3");
    assertThat(value(record, "/x~1y")).isEqualTo("NUMBER 4");
    assertThat(value(record, "x/y")).isEqualTo("NUMBER 4");
    assertThat(value(record, "/m~0n/~01")).isEqualTo("NUMBER 5");
    assertThat(value(record, "b")).isEqualTo("NUMBER 6");
    assertThat(value("[7]", "/0")).isEqualTo("NUMBER 7");
    assertThat(value("7", "/0")).isEqualTo("ABSENT");
  }

  @Test
  void severalMembersAreFoundInOneScanEvenWithinEachOther() throws Exception {
    JsonMembers members = JsonMembers.of(List.of("/a/b", "/a", "/a/c/0", "d"));
    byte[] record = bytes("xx{\"d\":1,\"a\":{\"c\":[2],\"b\":3}}yy");
    members.scan(record, 2, record.length - 2);
    assertThat(found(members, record, 0)).isEqualTo("NUMBER 3");
    assertThat(found(members, record, 1)).isEqualTo("OBJECT {\"c\":[2],\"b\":3}");
    assertThat(found(members, record, 2)).isEqualTo("NUMBER 2");
    assertThat(found(members, record, 3)).isEqualTo("NUMBER 1");
  }

  @Test
  void theLastMemberOfANameCounts() throws Exception {
    assertThat(value("{\"a\":1,\"a\":\"b\"}", "a")).isEqualTo("STRING \"b\"");
    assertThat(value("{\"a\":{\"b\":1},\"a\":{}}", "/a/b")).isEqualTo("ABSENT");
    assertThat(value("{\"a\":{\"b\":1},\"a\":2}", "/a/b")).isEqualTo("ABSENT");
    assertThat(value("{\"a\":2,\"a\":{\"b\":1}}", "/a/b")).isEqualTo("NUMBER 1");
  }

  @Test
  void namesAreComparedUnescaped() throws Exception {
    assertThat(value("{\"\\u0075rl\":1}", "url")).isEqualTo("NUMBER 1");
    assertThat(value("{\"\\u00e9\":1}", "é")).isEqualTo("NUMBER 1");
    assertThat(value("{\"\\ud83d\\ude00\":1}", "😀")).isEqualTo("NUMBER 1");
  }

  @Test
  void whiteSpaceAndAByteOrderMarkAreAroundARecord() throws Exception {
    assertThat(value(" \t{\"a\":\"b\"} \r", "a")).isEqualTo("STRING \"b\"");
    assertThat(value("\uFEFF{\"a\":\"b\"}", "a")).isEqualTo("STRING \"b\"");
  }

  @Test
  void aStringIsUnescaped() throws Exception {
    assertThat(string("plain é 😀")).isEqualTo("plain é 😀");
    assertThat(string("\\\"\\\\\\/\\b\\f\\n\\r\\t")).isEqualTo("\"\\/\b\f\n\r\t");
    assertThat(string("x\\u0041\\u00e9\\u20AC\\ud83d\\ude00y")).isEqualTo("xAé€😀y");
    assertThat(string("\\\\u0041")).isEqualTo("\\u0041");
    assertThat(string("")).isEmpty();
    assertThat(string("\\u0000\\u007f\\u0080\\u07ff\\u0800\\uffff"))
        .isEqualTo("\0\u007f\u0080\u07ff\u0800\uffff");
  }

  @Test
  void anUnpairedSurrogateTakesThreeBytesOfItsOwn() throws Exception {
    assertThat(unescaped("\\ud83d")).isEqualTo(new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0xBD});
    assertThat(unescaped("\\ude00")).isEqualTo(new byte[] {(byte) 0xED, (byte) 0xB8, (byte) 0x80});
    assertThat(unescaped("\\ud83dA")).hasSize(4).endsWith('A');
    assertThat(unescaped("\\ud83d\\ud83d\\ude00")).hasSize(7);
    assertThat(unescaped("\\ud83d\\n")).hasSize(4).endsWith('\n');
  }

  @Test
  void aStringTellsWhetherItHasEscapes() throws Exception {
    JsonMembers members = JsonMembers.of(List.of("a", "b"));
    byte[] record = bytes("{\"a\":\"x\",\"b\":\"\\n\"}");
    members.scan(record, 0, record.length);
    assertThat(members.hasEscapes(0)).isFalse();
    assertThat(members.hasEscapes(1)).isTrue();
  }

  @Test
  void malformedRecordsAreRefusedWithTheirOffset() {
    assertMalformed("", 0, "syntax at byte 0: expected a value, got an empty record");
    assertMalformed("  \r", 3, "got an empty record");
    assertMalformed("{\"a\":1", 6, "Unexpected end-of-input");
    assertMalformed("{\"a\":1,}", 7, "'}'");
    assertMalformed("{\"a\" 1}", 5, "expecting a colon");
    assertMalformed("{a:1}", 1, "'a'");
    assertMalformed("{\"a\":01}", 6, "");
    assertMalformed("{\"a\":.5}", 5, "");
    assertMalformed("{\"a\":NaN}", 8, "");
    assertMalformed("{\"a\":tru}", 5, "");
    assertMalformed("{\"a\":1}}", 7, "");
    assertMalformed("{} {}", 3, "expected one value in a record, got another one");
    assertMalformed("{}//", 2, "");
    assertMalformed("[1 2]", 3, "");
    assertMalformed("{'a':1}", 1, "");
    assertMalformed("{\"a\":\"b\tc\"}", 7, "");
    assertMalformed("{\"a\":\"\\x\"}", 7, "");
    assertMalformed("{\"a\":\"\\u12g4\"}", 10, "");
    assertMalformed("{\"a\":\"b}", 8, "Unexpected end-of-input");
  }

  @Test
  void bytesThatAreNotUtf8AreRefused() {
    assertMalformed(new byte[] {0, '{', 0, '}'}, 0, "expected UTF-8, got byte 0");
    assertMalformed(new byte[] {'{', 0, '}', 0}, 1, "expected UTF-8, got byte 0");
    assertMalformed(new byte[] {(byte) 0xFF, (byte) 0xFE, '{', 0}, 0, "got byte 255");
    assertMalformed(new byte[] {(byte) 0xFE, (byte) 0xFF, 0, '{'}, 0, "got byte 254");
    assertMalformed(new byte[] {0, 0, (byte) 0xFE, (byte) 0xFF}, 0, "got byte 0");
    assertMalformed("{\"a\":\"\u00ff\"}".getBytes(ISO_8859_1), 7, "");
    assertMalformed("{\"a\":\"\u00fe\"}".getBytes(ISO_8859_1), 7, "");
    assertMalformed("{\"b\":\"\u00c3\"}".getBytes(ISO_8859_1), 8, "");
  }

  @Test
  void whatIsBehindTheMembersIsValidatedToo() {
    assertMalformed("{\"a\":1,\"b\":[1,{\"c\":\"\\q\"}]}", 21, "");
  }

  @Test
  void nothingIsFoundInARecordThatIsMalformed() {
    JsonMembers members = JsonMembers.of(List.of("a"));
    byte[] record = bytes("{\"a\":1,");
    assertThatThrownBy(() -> members.scan(record, 0, record.length))
        .isInstanceOf(FormatException.class);
    assertThat(members.kind(0)).isEqualTo(Kind.ABSENT);
    assertThatThrownBy(() -> members.start(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> members.unescape(0, new byte[9], 0))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theDepthOfARecordIsLimited() throws Exception {
    for (int depth : new int[] {JsonMembers.MAX_DEPTH - 1, JsonMembers.MAX_DEPTH}) {
      assertThat(value("[".repeat(depth) + "]".repeat(depth), "/1")).isEqualTo("ABSENT");
      String path = "/0".repeat(depth - 1);
      assertThat(value("[".repeat(depth) + "]".repeat(depth), path)).isEqualTo("ARRAY []");
    }
    int over = JsonMembers.MAX_DEPTH + 1;
    assertMalformed("[".repeat(over) + "]".repeat(over), over, "limit at byte 1001: Document nest");
    assertMalformed("[".repeat(1 << 20), over, "nesting depth (1001) exceeds the maximum");
  }

  @Test
  void theLengthOfANumberIsLimited() throws Exception {
    int most = JsonMembers.MAX_NUMBER_BYTES;
    assertThat(value("{\"a\":" + "1".repeat(most - 1) + "}", "a")).hasSize(most + 6);
    assertThat(value("{\"a\":" + "1".repeat(most) + "}", "a")).hasSize(most + 7);
    assertThatThrownBy(() -> value("{\"a\":" + "1".repeat(most + 1) + "}", "a"))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("limit at byte");
    assertThatThrownBy(() -> value("{\"b\":0." + "1".repeat(1 << 20) + "}", "a"))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("limit at byte");
  }

  @Test
  void theLengthOfANameIsLimited() throws Exception {
    int most = JsonMembers.MAX_NAME_BYTES;
    for (int length : new int[] {most - 1, most}) {
      String name = "n".repeat(length);
      assertThat(value("{\"" + name + "\":1}", name)).isEqualTo("NUMBER 1");
    }
    assertThatThrownBy(() -> value("{\"" + "n".repeat(most + 8) + "\":1}", "a"))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("limit at byte");
  }

  @Test
  void anObjectMayHaveAMillionNames() throws Exception {
    StringBuilder record = new StringBuilder("{");
    for (int i = 0; i < 1_000_000; i++) {
      record.append("\"name").append(i).append("\":1,");
    }
    assertThat(value(record.append("\"a\":2}").toString(), "a")).isEqualTo("NUMBER 2");
  }

  @Test
  void aStringIsAsLongAsARecord() throws Exception {
    String text = "x".repeat(50 << 20);
    assertThat(value("{\"a\":\"" + text + "\",\"b\":1}", "b")).isEqualTo("NUMBER 1");
    assertThat(value("{\"a\":\"" + text + "\"}", "a")).hasSize(text.length() + 9);
  }

  @Tag("thorough")
  @Test
  void aRecordOfAGigabyteIsNotHeldTwice() throws Exception {
    byte[] record = new byte[1 << 30];
    Arrays.fill(record, (byte) 'x');
    byte[] head = bytes("{\"id\":\"k\",\"text\":\"");
    System.arraycopy(head, 0, record, 0, head.length);
    record[record.length - 2] = '"';
    record[record.length - 1] = '}';
    JsonMembers members = JsonMembers.of(List.of("id", "text"));
    members.scan(record, 0, record.length);
    assertThat(found(members, record, 0)).isEqualTo("STRING \"k\"");
    assertThat(members.end(1)).isEqualTo(record.length - 1);
  }

  @Test
  void pathsAreCheckedAndLimited() {
    assertThatIllegalArgumentException().isThrownBy(() -> JsonMembers.of(List.of("")));
    assertThatIllegalArgumentException().isThrownBy(() -> JsonMembers.of(List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonMembers.of(List.of("/a~2")))
        .withMessageContaining("~0 for ~");
    int most = JsonMembers.MAX_MEMBERS;
    assertThatCode(() -> JsonMembers.of(Collections.nCopies(most, "a"))).doesNotThrowAnyException();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonMembers.of(Collections.nCopies(most + 1, "a")))
        .withMessageContaining("from 1 to 64");
  }

  @Test
  void asManyMembersAsAllowedAreFound() throws Exception {
    JsonMembers members = JsonMembers.of(Collections.nCopies(JsonMembers.MAX_MEMBERS, "/a/0"));
    byte[] record = bytes("{\"a\":[5]}");
    members.scan(record, 0, record.length);
    for (int i = 0; i < JsonMembers.MAX_MEMBERS; i++) {
      assertThat(found(members, record, i)).isEqualTo("NUMBER 5");
    }
  }

  private static void assertMalformed(String record, long offset, String problem) {
    assertMalformed(bytes(record), offset, problem);
  }

  private static void assertMalformed(byte[] record, long offset, String problem) {
    byte[] within = new byte[record.length + 5];
    System.arraycopy(record, 0, within, 3, record.length);
    FormatException e =
        catchThrowableOfType(
            FormatException.class,
            () -> JsonMembers.of(List.of("a")).scan(within, 3, 3 + record.length));
    assertThat(e).as(new String(record, ISO_8859_1)).isNotNull();
    assertThat(e).hasMessageStartingWith("not a valid JSON record: ").hasMessageContaining(problem);
    assertThat(e.offset()).as(e.getMessage()).isEqualTo(offset);
  }

  private static String value(String record, String path) throws FormatException {
    byte[] bytes = bytes("__" + record + "__");
    JsonMembers members = JsonMembers.of(List.of(path));
    members.scan(bytes, 2, bytes.length - 2);
    return found(members, bytes, 0);
  }

  private static String found(JsonMembers members, byte[] record, int member) {
    Kind kind = members.kind(member);
    if (kind == Kind.ABSENT) {
      return kind.name();
    }
    int start = members.start(member);
    return kind + " " + new String(record, start, members.end(member) - start, UTF_8);
  }

  private static String string(String escaped) throws FormatException {
    return new String(unescaped(escaped), UTF_8);
  }

  private static byte[] unescaped(String escaped) throws FormatException {
    byte[] record = bytes("{\"a\":\"" + escaped + "\"}");
    JsonMembers members = JsonMembers.of(List.of("a"));
    members.scan(record, 0, record.length);
    byte[] target = new byte[1 + members.end(0) - members.start(0) - 2];
    return Arrays.copyOfRange(target, 1, members.unescape(0, target, 1));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
