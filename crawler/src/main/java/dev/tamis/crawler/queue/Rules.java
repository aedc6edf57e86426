package dev.tamis.crawler.queue;

import dev.tamis.crawler.queue.PushResult.Reason;
import java.util.Locale;
import java.util.Optional;

/**
 * Validates URLs by rules that do not depend on what the queue holds. Thread-safe.
 *
 * @param key which URLs are the same
 * @param maxUrlBytes the longest URL, in bytes of UTF-8
 * @param scope which URLs are accepted
 * @param byHost whether hosts are told apart, so that a URL needs one
 */
record Rules(UrlKey key, int maxUrlBytes, UrlScope scope, boolean byHost) {

  Checked check(String url) {
    int bad = firstIllegalCharacter(url);
    if (url.isEmpty() || bad >= 0) {
      return Checked.rejected(Reason.UNPARSABLE, problem(url, bad));
    }
    if (utf8Bytes(url) > maxUrlBytes) {
      return Checked.rejected(
          Reason.TOO_LONG, "must be at most " + maxUrlBytes + " bytes, got " + utf8Bytes(url));
    }
    Optional<ParsedUrl> parsed = key.of(url);
    if (parsed.isEmpty()) {
      return Checked.rejected(Reason.UNPARSABLE, "not an absolute URL with a host");
    }
    Optional<String> host = byHost ? parsed.get().host() : Optional.of("");
    if (host.isEmpty()) {
      return Checked.rejected(Reason.UNPARSABLE, "no host in URL");
    }
    if (!scope.contains(parsed.get())) {
      return Checked.rejected(Reason.OUT_OF_SCOPE, "out of scope");
    }
    return new Checked(parsed.get().key(), host.get(), Optional.empty());
  }

  private static String problem(String url, int at) {
    if (at >= 0 && Character.isSurrogate(url.charAt(at))) {
      return "truncated UTF-8 sequence in URL";
    }
    return at < 0
        ? "empty URL"
        : String.format(Locale.ROOT, "illegal character U+%04X in URL", (int) url.charAt(at));
  }

  /** Returns the index of a control character or an unpaired surrogate, or −1. */
  private static int firstIllegalCharacter(String url) {
    for (int i = 0; i < url.length(); i++) {
      char c = url.charAt(i);
      if (c < ' ' || c == 0x7f) {
        return i;
      }
      if (Character.isSurrogate(c)) {
        boolean paired =
            Character.isHighSurrogate(c)
                && i + 1 < url.length()
                && Character.isLowSurrogate(url.charAt(i + 1));
        if (!paired) {
          return i;
        }
        i++;
      }
    }
    return -1;
  }

  private static int utf8Bytes(String url) {
    int bytes = 0;
    for (int i = 0; i < url.length(); i++) {
      char c = url.charAt(i);
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return bytes;
  }

  /**
   * Result of a validation: a key and a host, or a rejection.
   *
   * @param key the key; empty if rejected
   * @param host the host to schedule under; empty if rejected or hosts are not told apart
   * @param rejection what push returns if the URL is not valid
   */
  record Checked(String key, String host, Optional<PushResult> rejection) {

    private static Checked rejected(Reason reason, String detail) {
      return new Checked("", "", Optional.of(PushResult.rejected(reason, detail)));
    }
  }
}
