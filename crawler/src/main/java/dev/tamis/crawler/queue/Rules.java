package dev.tamis.crawler.queue;

import dev.tamis.crawler.queue.PushResult.Reason;
import java.util.Locale;
import java.util.Optional;

/**
 * What makes a URL fit for the queue, apart from what is in it. Any thread may ask at any time.
 *
 * @param key which URLs are the same
 * @param maxUrlBytes the most bytes of UTF-8 that a URL may have
 * @param scope which URLs are wanted
 * @param byHost whether hosts are told apart, so that a URL needs one
 */
record Rules(UrlKey key, int maxUrlBytes, UrlScope scope, boolean byHost) {

  /** Judges a URL. */
  Verdict judge(String url) {
    int bad = firstBadCharacter(url);
    if (url.isEmpty() || bad >= 0) {
      return Verdict.no(Reason.UNPARSABLE, whatIsBad(url, bad));
    }
    if (utf8Bytes(url) > maxUrlBytes) {
      return Verdict.no(
          Reason.TOO_LONG, "has " + utf8Bytes(url) + " bytes, at most " + maxUrlBytes + " may be");
    }
    Optional<String> found = key.of(url);
    if (found.isEmpty()) {
      return Verdict.no(Reason.UNPARSABLE, "is no absolute URL with a host");
    }
    Optional<String> host = byHost ? HostName.of(found.get()) : Optional.of("");
    if (host.isEmpty()) {
      return Verdict.no(Reason.UNPARSABLE, "has no host");
    }
    if (!scope.contains(found.get())) {
      return Verdict.no(Reason.OUT_OF_SCOPE, "is out of scope");
    }
    return new Verdict(found.get(), host.get(), Optional.empty());
  }

  private static String whatIsBad(String url, int at) {
    if (at >= 0 && Character.isSurrogate(url.charAt(at))) {
      return "is not UTF-8: half a character";
    }
    return at < 0
        ? "is empty"
        : String.format(
            Locale.ROOT, "has the character U+%04X, which no URL has", (int) url.charAt(at));
  }

  /** Returns where a control character or half a surrogate pair is, or −1. */
  private static int firstBadCharacter(String url) {
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
   * What was found: a key and a host, or why not.
   *
   * @param key the key; empty if rejected
   * @param host the host whose turn it will be; empty if rejected or hosts are not told apart
   * @param rejection what push answers if the URL is not fit
   */
  record Verdict(String key, String host, Optional<PushResult> rejection) {

    private static Verdict no(Reason reason, String detail) {
      return new Verdict("", "", Optional.of(PushResult.rejected(reason, detail)));
    }
  }
}
