package dev.tamis.cli.place;

import dev.tamis.cli.console.KeyFile;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/**
 * The name of a filter on a Redis server: {@code redis://[USER:PASSWORD@]HOST[:PORT]/NAME[?db=N]}.
 */
public final class RedisName implements FilterPlace {

  private static final String EXPECTED =
      "expected redis://[USER:PASSWORD@]HOST[:PORT]/NAME[?db=N], or rediss:// for TLS";

  private static final int DEFAULT_PORT = 6379;
  private static final int MAX_PORT = 65_535;
  private static final Pattern DATABASE = Pattern.compile("db=(\\d{1,9})");

  private final URI server;
  private final String name;
  private final String printed;

  private RedisName(URI server, String name, String printed) {
    this.server = server;
    this.name = name;
    this.printed = printed;
  }

  /** Returns whether an argument is meant to be one. */
  static boolean isOne(String text) {
    String start = text.toLowerCase(Locale.ROOT);
    return start.startsWith("redis://") || start.startsWith("rediss://");
  }

  /** Reads an argument; no message repeats it, as there may be a password in it. */
  static RedisName parse(String text) {
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      throw wrong("it is no URL: " + e.getReason());
    }
    if (uri.getHost() == null) {
      throw wrong("it names no host");
    }
    if (uri.getPort() == 0 || uri.getPort() > MAX_PORT) {
      throw wrong("port " + uri.getPort() + " is not 1 to " + MAX_PORT);
    }
    String path = uri.getPath();
    if (path == null || path.length() < 2) {
      throw wrong("it names no filter");
    }
    if (path.indexOf('{') >= 0 || path.indexOf('}') >= 0) {
      throw wrong("a filter's name has no braces");
    }
    if (uri.getFragment() != null) {
      throw wrong("it has a '#'");
    }
    String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
    int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
    String place = uri.getHost() + ":" + port;
    String user = uri.getRawUserInfo() == null ? "" : uri.getRawUserInfo() + "@";
    return new RedisName(
        URI.create(scheme + "://" + user + place + "/" + database(uri)),
        path.substring(1),
        scheme + "://" + place + path);
  }

  private static String database(URI uri) {
    if (uri.getQuery() == null) {
      return "0";
    }
    Matcher matcher = DATABASE.matcher(uri.getQuery());
    if (!matcher.matches()) {
      throw wrong("what follows '?' is not db=N");
    }
    return matcher.group(1);
  }

  private static TypeConversionException wrong(String what) {
    return new TypeConversionException(what + "; " + EXPECTED);
  }

  /** Returns the server, with the password. */
  URI server() {
    return server;
  }

  /** Returns the filter's name there. */
  String name() {
    return name;
  }

  @Override
  public Loaded load(KeyFile keyFile) throws IOException {
    return Loaded.OfFilter.of(RedisFilters.with(this, filters -> filters.download(keyFile)));
  }

  @Override
  public String toString() {
    return printed;
  }
}
