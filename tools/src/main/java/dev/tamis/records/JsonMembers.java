package dev.tamis.records;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.tamis.format.FormatException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Finds the bytes of some members in records of JSON, which it validates without a tree of them.
 *
 * <pre>{@code
 * JsonMembers members = JsonMembers.of(List.of("url", "/meta/lang"));
 * members.scan(record, 0, record.length);
 * if (members.kind(0) == JsonMembers.Kind.STRING) {
 *   int end = members.unescape(0, target, 0);
 * }
 * }</pre>
 *
 * <p>A record is one JSON value in UTF-8 with white space around it, or after a byte order mark. It
 * is read to its end whatever was found before, and is RFC 8259 to the letter, except that overlong
 * sequences and surrogates encoded in UTF-8 are not noticed in a string. Of members with the same
 * name the last one counts, as in most programs.
 *
 * <p>Cost: one pass over the record, in memory that depends on its depth and its longest name only.
 * For one thread.
 */
public final class JsonMembers {

  /** The deepest nesting of objects and arrays; a reader's stack must have an end. */
  public static final int MAX_DEPTH = 1000;

  /** The longest name of a member in bytes of UTF-8; a reader holds it in memory. */
  public static final int MAX_NAME_BYTES = 50_000;

  /** The most characters of a number; a reader holds it in memory. */
  public static final int MAX_NUMBER_BYTES = 1000;

  /** The most members that one scan finds. */
  public static final int MAX_MEMBERS = 64;

  /*
   * Jackson skips a string without decoding it, and no string is ever requested, so that its limit
   * holds for what Jackson buffers: numbers, of which it would collect any length before it checks.
   * A parser can resynchronize nowhere, so each record has one of its own; that takes some 100 ns.
   */
  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNameLength(MAX_NAME_BYTES)
                  .maxNumberLength(MAX_NUMBER_BYTES)
                  .maxStringLength(MAX_NUMBER_BYTES)
                  .maxDocumentLength(-1)
                  .maxTokenCount(-1)
                  .build())
          .build();

  private static final String FORMAT = "JSON record";

  /** What Jackson says to those who configure it. */
  private static final Pattern ADVICE =
      Pattern.compile(", from `[^`]*`| \\(start marker at [^)]*\\)|: enable `.*");

  /** What the value of a member is. */
  public enum Kind {
    STRING,
    NUMBER,
    TRUE,
    FALSE,
    NULL,
    ARRAY,
    OBJECT,
    /** There is no such member. */
    ABSENT
  }

  private final String[][] paths;
  private final Kind[] kinds;
  private final int[] starts;
  private final int[] ends;
  private final boolean[] escaped;
  private byte[] record = {};
  private int from;
  private int to;

  private JsonMembers(String[][] paths) {
    this.paths = paths;
    this.kinds = new Kind[paths.length];
    this.starts = new int[paths.length];
    this.ends = new int[paths.length];
    this.escaped = new boolean[paths.length];
    Arrays.fill(kinds, Kind.ABSENT);
  }

  /**
   * Returns a finder of these members.
   *
   * @param paths each a name at the top level, such as {@code url}, or an RFC 6901 pointer, which
   *     begins with a slash, such as {@code /meta/0/url}; from 1 to {@value #MAX_MEMBERS}
   * @throws IllegalArgumentException if a path is empty or a malformed pointer
   */
  public static JsonMembers of(List<String> paths) {
    if (paths.isEmpty() || paths.size() > MAX_MEMBERS) {
      throw new IllegalArgumentException(
          "paths must be from 1 to " + MAX_MEMBERS + ", got " + paths.size());
    }
    return new JsonMembers(paths.stream().map(JsonMembers::segments).toArray(String[][]::new));
  }

  private static String[] segments(String path) {
    if (path.isEmpty()) {
      throw new IllegalArgumentException(
          "a path must be the name of a member or a pointer such as /meta/url, got ''");
    }
    if (path.charAt(0) != '/') {
      return new String[] {path};
    }
    if (path.replace("~0", "").replace("~1", "").indexOf('~') >= 0) {
      throw new IllegalArgumentException(
          "a pointer must have ~0 for ~ and ~1 for / in a name, got '" + path + "'");
    }
    String[] segments = path.substring(1).split("/", -1);
    Arrays.setAll(segments, i -> segments[i].replace("~1", "/").replace("~0", "~"));
    return segments;
  }

  /**
   * Scans one record. What it finds is valid until the next scan, while the bytes stay as they are.
   *
   * @throws FormatException if the bytes are not one JSON value, or exceed a limit of this class;
   *     its offset is that of the byte in the record, or of the one after it
   */
  public void scan(byte[] bytes, int from, int to) throws FormatException {
    Objects.checkFromToIndex(from, to, bytes.length);
    Arrays.fill(kinds, Kind.ABSENT);
    this.record = bytes;
    this.from = from;
    this.to = to;
    requireUtf8();
    boolean isValid = false;
    try (JsonParser parser = FACTORY.createParser(bytes, from, to - from)) {
      scan(parser);
      isValid = true;
    } catch (FormatException e) {
      throw e;
    } catch (IOException e) {
      throw new AssertionError("bytes in memory cannot fail to be read", e);
    } finally {
      if (!isValid) {
        Arrays.fill(kinds, Kind.ABSENT);
      }
    }
  }

  private void scan(JsonParser parser) throws IOException {
    try {
      JsonToken root = parser.nextToken();
      if (root == null) {
        throw malformed(to - from, "expected a value, got an empty record");
      }
      if (root.isStructStart()) {
        children(parser, -1L >>> (Long.SIZE - paths.length), 0);
      }
      if (parser.nextToken() != null) {
        throw malformed(start(parser), "expected one value in a record, got another one");
      }
    } catch (JsonProcessingException e) {
      throw malformed(e, parser);
    }
  }

  /** Jackson takes a record for UTF-16 or UTF-32 by a zero or a byte order mark at its start. */
  private void requireUtf8() throws FormatException {
    for (int i = from; i < Math.min(from + 2, to); i++) {
      int first = record[i] & 0xFF;
      if (first == 0 || first >= 0xFE) {
        throw malformed(i - from, "expected UTF-8, got byte " + first);
      }
    }
  }

  /** Reads an object or array after its start; {@code live} paths lead through it. */
  private void children(JsonParser parser, long live, int depth) throws IOException {
    boolean isObject = parser.currentToken() == JsonToken.START_OBJECT;
    int index = 0;
    for (JsonToken token = parser.nextToken(); !token.isStructEnd(); token = parser.nextToken()) {
      long found = 0;
      for (long rest = live; rest != 0; rest &= rest - 1) {
        String segment = paths[Long.numberOfTrailingZeros(rest)][depth];
        if (isObject
            ? segment.equals(parser.currentName())
            : segment.equals(Integer.toString(index))) {
          found |= Long.lowestOneBit(rest);
        }
      }
      index++;
      JsonToken value = isObject ? parser.nextToken() : token;
      if (found != 0) {
        member(parser, value, found, depth + 1);
      } else if (value.isStructStart()) {
        parser.skipChildren();
      }
    }
  }

  /** Reads a value to which {@code found} paths lead with their first {@code depth} segments. */
  private void member(JsonParser parser, JsonToken value, long found, int depth)
      throws IOException {
    long ending = 0;
    for (long rest = found; rest != 0; rest &= rest - 1) {
      int path = Long.numberOfTrailingZeros(rest);
      kinds[path] = Kind.ABSENT; // unless found below, as the last of this name counts
      ending |= paths[path].length == depth ? Long.lowestOneBit(rest) : 0;
    }
    int start = start(parser);
    Kind kind = kind(value);
    boolean hasEscapes = false;
    int end;
    switch (kind) {
      case STRING -> {
        int quote = from + start + 1;
        for (; quote < to && record[quote] != '"'; quote++) {
          if (record[quote] == '\\') {
            hasEscapes = true;
            quote++;
          }
        }
        end = quote + 1 - from;
      }
      case NUMBER, TRUE, FALSE, NULL -> end = start + parser.getTextLength();
      default -> {
        if (found != ending) {
          children(parser, found & ~ending, depth);
        } else {
          parser.skipChildren();
        }
        end = (int) parser.currentLocation().getByteOffset();
      }
    }
    for (long rest = ending; rest != 0; rest &= rest - 1) {
      int path = Long.numberOfTrailingZeros(rest);
      kinds[path] = kind;
      starts[path] = from + start;
      ends[path] = from + end;
      escaped[path] = hasEscapes;
    }
  }

  private static int start(JsonParser parser) {
    return (int) parser.currentTokenLocation().getByteOffset();
  }

  private static Kind kind(JsonToken token) {
    return switch (token) {
      case VALUE_STRING -> Kind.STRING;
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Kind.NUMBER;
      case VALUE_TRUE -> Kind.TRUE;
      case VALUE_FALSE -> Kind.FALSE;
      case VALUE_NULL -> Kind.NULL;
      case START_ARRAY -> Kind.ARRAY;
      case START_OBJECT -> Kind.OBJECT;
      default -> throw new AssertionError("no value: " + token);
    };
  }

  private static FormatException malformed(int offset, String problem) {
    return new FormatException(FORMAT, offset, "syntax", problem);
  }

  private static FormatException malformed(JsonProcessingException e, JsonParser parser) {
    JsonLocation at = e.getLocation() != null ? e.getLocation() : parser.currentLocation();
    FormatException malformed =
        new FormatException(
            FORMAT,
            at.getByteOffset(),
            e instanceof StreamConstraintsException ? "limit" : "syntax",
            ADVICE.matcher(e.getOriginalMessage()).replaceAll(""));
    malformed.initCause(e);
    return malformed;
  }

  /** Returns what the value of a member is, by the index of its path. */
  public Kind kind(int member) {
    return kinds[member];
  }

  /**
   * Returns where the value of a member begins in the array that was scanned; the quote of a
   * string.
   *
   * @throws IllegalStateException if the member is absent
   */
  public int start(int member) {
    requirePresent(member);
    return starts[member];
  }

  /**
   * Returns where the value of a member ends in the array that was scanned; after the quote of a
   * string.
   *
   * @throws IllegalStateException if the member is absent
   */
  public int end(int member) {
    requirePresent(member);
    return ends[member];
  }

  private void requirePresent(int member) {
    if (kinds[member] == Kind.ABSENT) {
      throw new IllegalStateException("member " + member + " is absent");
    }
  }

  /**
   * Returns whether the value of a member is a string with escapes. The bytes between the quotes of
   * one without are its characters in UTF-8.
   */
  public boolean hasEscapes(int member) {
    return kinds[member] == Kind.STRING && escaped[member];
  }

  /**
   * Writes the characters of a string in UTF-8. An escaped surrogate without its other half is
   * encoded like other characters, in three bytes, so that different strings stay different.
   *
   * @param target where they go from index {@code at} on; at most two bytes fewer than the value
   *     has are written
   * @return the index after the last one
   * @throws IllegalStateException if the member is not a string
   */
  public int unescape(int member, byte[] target, int at) {
    if (kinds[member] != Kind.STRING) {
      throw new IllegalStateException("member " + member + " must be a string: " + kinds[member]);
    }
    int end = ends[member] - 1;
    int out = at;
    for (int i = starts[member] + 1; i < end; ) {
      int run = i;
      while (run < end && record[run] != '\\') {
        run++;
      }
      System.arraycopy(record, i, target, out, run - i);
      out += run - i;
      i = run;
      if (i == end) {
        break;
      }
      byte letter = record[i + 1];
      i += 2;
      if (letter != 'u') {
        target[out++] = unescaped(letter);
        continue;
      }
      int character = hex(i);
      i += 4;
      if (Character.isHighSurrogate((char) character)
          && i + 6 <= end
          && record[i] == '\\'
          && record[i + 1] == 'u'
          && Character.isLowSurrogate((char) hex(i + 2))) {
        character = Character.toCodePoint((char) character, (char) hex(i + 2));
        i += 6;
      }
      out = encode(character, target, out);
    }
    return out;
  }

  private static byte unescaped(byte letter) {
    return switch (letter) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> letter;
    };
  }

  private int hex(int at) {
    int value = 0;
    for (int i = at; i < at + 4; i++) {
      value = (value << 4) | Character.digit(record[i], 16);
    }
    return value;
  }

  private static int encode(int character, byte[] target, int at) {
    int out = at;
    if (character < 0x80) {
      target[out++] = (byte) character;
      return out;
    }
    if (character < 0x800) {
      target[out++] = (byte) (0xC0 | character >> 6);
    } else {
      if (character < 0x10000) {
        target[out++] = (byte) (0xE0 | character >> 12);
      } else {
        target[out++] = (byte) (0xF0 | character >> 18);
        target[out++] = (byte) (0x80 | (character >> 12 & 0x3F));
      }
      target[out++] = (byte) (0x80 | (character >> 6 & 0x3F));
    }
    target[out++] = (byte) (0x80 | (character & 0x3F));
    return out;
  }
}
