package dev.tamis.blocklist;

/**
 * One entry of a list.
 *
 * @param form what it matches
 * @param name the address or host, in canonical form
 */
record Entry(Form form, String name) {

  /** Questions have at most so many names above them that are asked for. */
  static final int MAX_LABELS = Long.SIZE - 1;

  private static final String ANY = "*";

  /**
   * Reads an entry as a list has it, without a check for public suffixes.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Entry parse(String text) {
    int at = text.lastIndexOf('@');
    if (at > 0 && !text.substring(0, at).equals(ANY)) {
      return new Entry(Form.ADDRESS, Subject.parse(text).toString());
    }
    if (at >= 0) {
      return new Entry(Form.HOST, HostName.canonical(text.substring(at + 1), text));
    }
    if (text.startsWith(".")) {
      return domain(Form.WHOLE_DOMAIN, text.substring(1), text);
    }
    if (text.startsWith("*.")) {
      return domain(Form.SUBDOMAINS, text.substring(2), text);
    }
    return new Entry(Form.HOST, HostName.canonical(text, text));
  }

  private static Entry domain(Form form, String text, String line) {
    String name = HostName.canonical(text, line);
    if (HostName.isIp(name)) {
      throw Refusal.of(line, "an IP address alone, as nothing is below it");
    }
    if (HostName.labels(name) > MAX_LABELS) {
      throw Refusal.of(line, "a domain with at most " + MAX_LABELS + " dots");
    }
    return new Entry(form, name);
  }

  /** Returns whether it would block what is no single owner's. */
  boolean isPublicSuffix() {
    return form != Form.ADDRESS && !HostName.isIp(name) && PublicSuffixes.contains(name);
  }

  /** Returns the entry as a list has it, which is what filters hold. */
  String text() {
    return switch (form) {
      case ADDRESS, HOST -> name;
      case WHOLE_DOMAIN -> "." + name;
      case SUBDOMAINS -> "*." + name;
    };
  }
}
