package dev.tamis.records;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import dev.tamis.format.FormatException;
import dev.tamis.records.JsonMembers.Kind;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Any bytes are what another reader says, or are refused by both. */
class JsonMembersFuzzTest {

  private static final List<String> PATHS = List.of("a", "/a/b", "/a/0", "é", "/a/b/1");

  private static final String DAMAGE = "{}[]\",:\\u1eE-+.0 \n\ttnf/";

  private static final Object NULL = new Object();

  @FuzzTest(maxDuration = "10m")
  void anyBytesAreWhatAnotherReaderSays(byte[] bytes) {
    compare(bytes);
  }

  @Test
  void generatedRecordsAreWhatAnotherReaderSays() {
    Random random = new Random(33);
    int accepted = 0;
    for (int i = 0; i < 30_000; i++) {
      StringBuilder record = new StringBuilder();
      value(record, random, 0);
      if (random.nextInt(4) == 0) { // damaged
        int at = random.nextInt(record.length());
        record.setCharAt(at, DAMAGE.charAt(random.nextInt(DAMAGE.length())));
      }
      accepted += compare(record.toString().getBytes(UTF_8)) ? 1 : 0;
    }
    assertThat(accepted).isBetween(15_000, 28_000);
  }

  /** Returns whether both accept the record; fails where they differ. */
  private static boolean compare(byte[] bytes) {
    Optional<String> text = text(bytes);
    JsonMembers members = JsonMembers.of(PATHS);
    boolean isValid = true;
    boolean isOverLimit = false;
    try {
      members.scan(bytes, 0, bytes.length);
    } catch (FormatException e) {
      isValid = false;
      isOverLimit = String.valueOf(e.getMessage()).contains(": limit at byte ");
      assertThat(e.offset()).isBetween(0L, (long) bytes.length);
    }
    if (text.isEmpty() || isOverLimit) {
      return false; // the other decodes with replacement, or has other limits
    }
    Optional<Object> tree;
    try {
      tree = tree(text.get());
    } catch (UnpairedException e) {
      return false;
    }
    assertThat(isValid).as(text.get()).isEqualTo(tree.isPresent());
    for (int i = 0; isValid && i < PATHS.size(); i++) {
      Object expected = at(tree.get(), PATHS.get(i));
      assertThat(found(members, i, bytes))
          .as(PATHS.get(i) + " in " + text.get())
          .isEqualTo(expected);
    }
    return isValid;
  }

  private static Object found(JsonMembers members, int member, byte[] bytes) {
    Kind kind = members.kind(member);
    return switch (kind) {
      case STRING -> {
        byte[] target = new byte[members.end(member) - members.start(member) - 2];
        yield new String(target, 0, members.unescape(member, target, 0), UTF_8);
      }
      case NUMBER -> {
        int start = members.start(member);
        String number = new String(bytes, start, members.end(member) - start, UTF_8);
        yield kind + " " + canonical(number);
      }
      default -> kind;
    };
  }

  private static Object at(Object tree, String path) {
    Object now = tree;
    for (String name :
        path.startsWith("/") ? path.substring(1).split("/", -1) : new String[] {path}) {
      Object next = null;
      if (now instanceof Map<?, ?> map) {
        next = map.get(name);
      } else if (now instanceof List<?> list && name.matches("[0-9]") && path.startsWith("/")) {
        next = Integer.parseInt(name) < list.size() ? list.get(Integer.parseInt(name)) : null;
      }
      if (next == null) {
        return Kind.ABSENT;
      }
      now = next;
    }
    if (now instanceof String text) {
      return text;
    }
    if (now instanceof Number) {
      return Kind.NUMBER + " " + canonical(now.toString());
    }
    return now instanceof Map
        ? Kind.OBJECT
        : now instanceof List
            ? Kind.ARRAY
            : now == NULL ? Kind.NULL : (boolean) now ? Kind.TRUE : Kind.FALSE;
  }

  private static String canonical(String number) {
    try {
      return new BigDecimal(number).stripTrailingZeros().toString();
    } catch (NumberFormatException e) { // an exponent beyond an integer
      return number;
    }
  }

  private static Optional<String> text(byte[] bytes) {
    try {
      return Optional.of(UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  private static Optional<Object> tree(String text) {
    JsonReader reader = new JsonReader(new StringReader(text));
    reader.setStrictness(Strictness.STRICT);
    reader.setNestingLimit(JsonMembers.MAX_DEPTH);
    try {
      Object tree = tree(reader);
      return reader.peek() == JsonToken.END_DOCUMENT ? Optional.of(tree) : Optional.empty();
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).contains("Unpaired surrogate")) {
        throw new UnpairedException();
      }
      return Optional.empty();
    }
  }

  /** The other reader refuses an escaped surrogate without its other half. */
  private static final class UnpairedException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private static Object tree(JsonReader reader) throws IOException {
    switch (reader.peek()) {
      case BEGIN_OBJECT -> {
        Map<String, Object> map = new LinkedHashMap<>();
        reader.beginObject();
        while (reader.hasNext()) {
          map.put(reader.nextName(), tree(reader));
        }
        reader.endObject();
        return map;
      }
      case BEGIN_ARRAY -> {
        List<Object> list = new ArrayList<>();
        reader.beginArray();
        while (reader.hasNext()) {
          list.add(tree(reader));
        }
        reader.endArray();
        return list;
      }
      case STRING -> {
        return reader.nextString();
      }
      case NUMBER -> {
        return new Text(reader.nextString());
      }
      case BOOLEAN -> {
        return reader.nextBoolean();
      }
      default -> {
        reader.nextNull();
        return NULL;
      }
    }
  }

  /** A number as it is written. */
  private static final class Text extends Number {
    private static final long serialVersionUID = 1;
    private final String digits;

    Text(String digits) {
      this.digits = digits;
    }

    @Override
    public int intValue() {
      throw new AssertionError();
    }

    @Override
    public long longValue() {
      throw new AssertionError();
    }

    @Override
    public float floatValue() {
      throw new AssertionError();
    }

    @Override
    public double doubleValue() {
      throw new AssertionError();
    }

    @Override
    public String toString() {
      return digits;
    }
  }

  private static void value(StringBuilder out, Random random, int depth) {
    switch (random.nextInt(depth > 3 ? 4 : depth == 0 ? 5 : 7)) {
      case 0 -> string(out, random);
      case 1 -> number(out, random);
      case 2 -> out.append(random.nextBoolean());
      case 3 -> out.append(depth == 0 ? "{}" : "null");
      case 5 -> list(out, random, depth, false);
      default -> list(out, random, depth, true);
    }
  }

  private static void list(StringBuilder out, Random random, int depth, boolean isObject) {
    out.append(isObject ? '{' : '[');
    int count = random.nextInt(5);
    for (int i = 0; i < count; i++) {
      out.append(i > 0 ? "," : "").append(" \t".repeat(random.nextInt(2)));
      if (isObject) {
        String[] names = {"\"a\"", "\"b\"", "\"\\u0061\"", "\"é\"", "\"\\u00E9\"", "\"\""};
        out.append(names[random.nextInt(names.length)]).append(random.nextBoolean() ? ":" : " : ");
      }
      value(out, random, depth + 1);
    }
    out.append(isObject ? '}' : ']');
  }

  private static void string(StringBuilder out, Random random) {
    String[] parts = {
      "x", "é", "€", "😀", "\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\ud83d\\ude00", "\\u0000"
    };
    out.append('"');
    for (int i = random.nextInt(6); i > 0; i--) {
      out.append(parts[random.nextInt(parts.length)]);
    }
    out.append('"');
  }

  private static void number(StringBuilder out, Random random) {
    out.append(random.nextBoolean() ? "-" : "").append(random.nextInt(3) * random.nextInt(2000));
    out.append(random.nextBoolean() ? "." + random.nextInt(100) : "");
    out.append(
        random.nextBoolean() ? "eE".charAt(random.nextInt(2)) + "" + random.nextInt(30) : "");
  }
}
