package dev.tamis.blocklist;

import java.text.Normalizer;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An address or a host to look up, in canonical form. */
final class Subject {

  private static final int MAX_LOCAL_CHARS = 256;
  private static final String EXPECTED = "an address such as user@example.com or a host name";

  private final @Nullable String local;
  private final String host;

  private Subject(@Nullable String local, String host) {
    this.local = local;
    this.host = host;
  }

  /**
   * Reads an address, which has an at sign, or a host.
   *
   * @throws IllegalArgumentException if it is neither
   */
  static Subject parse(String text) {
    int at = text.lastIndexOf('@');
    if (at < 0) {
      return new Subject(null, HostName.canonical(text, text));
    }
    return new Subject(
        local(text.substring(0, at), text), HostName.canonical(text.substring(at + 1), text));
  }

  private static String local(String text, String address) {
    boolean ascii = true;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c == 0x7F || Character.isWhitespace(c) || Character.isISOControl(c)) {
        throw Refusal.of(address, EXPECTED + ", without spaces");
      }
      ascii &= c < 0x80;
    }
    // lower case may undo the composition, so that comes last
    String lower = text.toLowerCase(Locale.ROOT);
    String local = ascii ? lower : Normalizer.normalize(lower, Normalizer.Form.NFC);
    if (local.isEmpty() || local.length() > MAX_LOCAL_CHARS) {
      throw Refusal.of(address, EXPECTED + ", with 1 to 256 characters before the at sign");
    }
    return local;
  }

  /** Returns the address, or empty if this is a host. */
  Optional<String> address() {
    return local == null ? Optional.empty() : Optional.of(toString());
  }

  /** Returns the address without what follows a plus sign before the at sign, if there is such. */
  Optional<String> untaggedAddress() {
    int plus = local == null ? -1 : local.indexOf('+');
    return local == null || plus <= 0
        ? Optional.empty()
        : Optional.of(local.substring(0, plus) + "@" + host);
  }

  /** Returns the host, which an address has too. */
  String host() {
    return host;
  }

  /** Returns the whole in canonical form. */
  @Override
  public String toString() {
    return local == null ? host : local + "@" + host;
  }
}
