package dev.tamis.blocklist;

import java.util.Locale;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;

/** Canonical host names: lower case, ASCII, without a dot at the end. */
final class HostName {

  /** The longest name that DNS can carry, as text. */
  static final int MAX_CHARS = 253;

  private static final int MAX_LABEL_CHARS = 63;

  /** A number as some programs read IPv4 addresses: decimal, octal or hexadecimal. */
  private static final Pattern NUMBER = Pattern.compile("[0-9]+|0x[0-9a-f]*");

  /**
   * Joiners and combining marks without a letter to join or to combine with: not checked by OkHttp.
   */
  private static final Pattern MISPLACED =
      Pattern.compile(
          "(?<![\\p{M}\\p{IsArabic}\\p{IsSyriac}\\p{IsMongolian}\\p{IsNko}])[\u200C\u200D]"
              + "|(?:^|[.\u3002\uFF0E\uFF61])\\p{M}");

  private static final String EXPECTED = "a host name such as mail.example.com";

  private HostName() {}

  /**
   * Returns the canonical form of a host name or an IP address; IPv6, with or without brackets, as
   * in RFC 5952 without.
   *
   * @param line what it is a part of, for the message
   * @throws IllegalArgumentException if it is not a host name
   */
  static String canonical(String text, String line) {
    if (text.indexOf(':') >= 0 || text.startsWith("[")) {
      return ip(text, line);
    }
    String name = lowerAscii(text, line);
    if (name.endsWith(".")) {
      name = name.substring(0, name.length() - 1);
    }
    check(name, line);
    return name;
  }

  private static String ip(String text, String line) {
    boolean bracketed = text.startsWith("[") && text.endsWith("]");
    return IpAddress.parse(bracketed ? text.substring(1, text.length() - 1) : text)
        .map(IpAddress::toString)
        .orElseThrow(() -> Refusal.of(line, EXPECTED + ", or an IP address such as 2001:db8::1"));
  }

  private static String lowerAscii(String text, String line) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return ofUnicode(text, line);
      }
    }
    return text.toLowerCase(Locale.ROOT);
  }

  private static String ofUnicode(String text, String line) {
    if (text.length() > MAX_CHARS) {
      throw Refusal.of(line, EXPECTED + " of at most " + MAX_CHARS + " characters");
    }
    try {
      if (text.indexOf('%') < 0 && !MISPLACED.matcher(text).find()) {
        return new HttpUrl.Builder().scheme("http").host(text).build().host();
      }
    } catch (IllegalArgumentException e) {
      // refused below
    }
    throw Refusal.of(line, EXPECTED);
  }

  private static void check(String name, String line) {
    if (name.isEmpty() || name.length() > MAX_CHARS) {
      throw Refusal.of(line, EXPECTED + " of 1 to " + MAX_CHARS + " characters");
    }
    int start = 0;
    for (int i = 0; i <= name.length(); i++) {
      if (i == name.length() || name.charAt(i) == '.') {
        if (i == start || i - start > MAX_LABEL_CHARS) {
          throw Refusal.of(line, EXPECTED + " with 1 to 63 characters between dots");
        }
        start = i + 1;
      } else if (!isOfName(name.charAt(i))) {
        throw Refusal.of(line, EXPECTED);
      }
    }
    // the systems that such a name reaches differ in what they take it for, so it is not guessed
    if (NUMBER.matcher(name).region(name.lastIndexOf('.') + 1, name.length()).matches()
        && !isIp(name)) {
      throw Refusal.of(line, EXPECTED + " or an IPv4 address such as 192.0.2.1");
    }
  }

  private static boolean isOfName(char c) {
    return (c >= 'a' && c <= 'z') || isDigit(c) || c == '-' || c == '_';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** Returns whether a canonical name is an IP address, which has no domains above it. */
  static boolean isIp(String name) {
    return name.indexOf(':') >= 0 || IpAddress.isV4(name);
  }

  /** Returns how many labels a canonical name has. */
  static int labels(String name) {
    return 1 + (int) name.chars().filter(c -> c == '.').count();
  }
}
