package dev.tamis.redis;

import java.net.URI;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A server, and how to log in there.
 *
 * @param user null for the server's default user
 * @param password null without a password
 * @param isTls whether the connection is encrypted
 */
record ServerAddress(
    String host,
    int port,
    @Nullable String user,
    @Nullable String password,
    int database,
    boolean isTls) {

  private static final int DEFAULT_PORT = 6379;
  private static final int MAX_PORT = 65_535;
  private static final Pattern HOST_AND_PORT =
      Pattern.compile("(\\[[^\\[\\]]+\\]|[^:\\[\\]]+)(?::(\\d{1,5})?)?");
  private static final Pattern DATABASE = Pattern.compile("/?(\\d{0,9})");
  private static final String EXPECTED =
      "; expected redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE], or rediss:// for TLS";

  /**
   * Parses {@code redis://USER:PASSWORD@HOST:PORT/DATABASE}, where only the host is required. It is
   * parsed here because {@link URI#getHost} has none for a name with an underscore, which
   * containers have.
   *
   * @throws IllegalArgumentException if it is anything else; the message has no user or password
   */
  static ServerAddress of(URI uri) {
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    if (!scheme.equals("redis") && !scheme.equals("rediss")) {
      throw wrong("scheme: must be redis or rediss, got " + uri.getScheme());
    }
    String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
    int at = authority.lastIndexOf('@');
    Matcher place = HOST_AND_PORT.matcher(authority.substring(at + 1));
    if (!place.matches()) {
      throw wrong("host: must be a name or an address, got '" + authority.substring(at + 1) + "'");
    }
    int port = place.group(2) == null ? DEFAULT_PORT : Integer.parseInt(place.group(2));
    if (port < 1 || port > MAX_PORT) {
      throw wrong("port: must be 1 to " + MAX_PORT + ", got " + port);
    }
    String path = uri.getPath() == null ? "" : uri.getPath();
    Matcher database = DATABASE.matcher(path);
    if (!database.matches()) {
      throw wrong("database: must be a number, got '" + path + "'");
    }
    if (uri.getQuery() != null || uri.getFragment() != null) {
      throw wrong("query and fragment: must be absent");
    }
    int number = database.group(1).isEmpty() ? 0 : Integer.parseInt(database.group(1));
    String[] login = login(at < 0 ? null : authority.substring(0, at));
    return new ServerAddress(
        place.group(1), port, login[0], login[1], number, scheme.equals("rediss"));
  }

  /** Returns user and password, each null if missing. */
  private static @Nullable String[] login(@Nullable String escaped) {
    if (escaped == null) {
      return new @Nullable String[2];
    }
    int colon = escaped.indexOf(':');
    if (colon < 0) {
      throw wrong("user and password: must be USER:PASSWORD or :PASSWORD, got no colon");
    }
    String user = unescaped(escaped.substring(0, colon));
    return new @Nullable String[] {
      user.isEmpty() ? null : user, unescaped(escaped.substring(colon + 1))
    };
  }

  private static String unescaped(String part) {
    return part.isEmpty()
        ? ""
        : URI.create("redis:///" + part.replace("/", "%2F")).getPath().substring(1);
  }

  private static IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException("server: " + what + EXPECTED);
  }

  /** Returns host and port, without user and password. */
  @Override
  public String toString() {
    return host + ":" + port;
  }
}
