package dev.tamis.explorer;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The explorer page: one HTML file that needs nothing else.
 *
 * <p>It is made from {@code src/main/page} by {@code npm run build} and checked in, so that neither
 * the build nor a user needs node.
 */
public final class ExplorerPage {

  private static final String FILE = "index.html";

  private static final Pattern POLICY =
      Pattern.compile("<meta http-equiv=\"Content-Security-Policy\" content=\"([^\"]+)\">");

  private final byte[] html;
  private final String policy;

  private ExplorerPage(byte[] html, String policy) {
    this.html = html;
    this.policy = policy;
  }

  /** Returns the page. */
  public static ExplorerPage load() {
    try (InputStream in = ExplorerPage.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException(FILE + " is not on the class path");
      }
      byte[] html = in.readAllBytes();
      Matcher policy = POLICY.matcher(new String(html, UTF_8));
      if (!policy.find()) {
        throw new IllegalStateException(FILE + " has no content security policy");
      }
      return new ExplorerPage(html, policy.group(1));
    } catch (IOException e) {
      throw new IllegalStateException(FILE + " cannot be read", e);
    }
  }

  /** Returns the bytes of the file. */
  public byte[] html() {
    return html.clone();
  }

  /** Returns the content security policy that the file has for itself. */
  public String policy() {
    return policy;
  }
}
