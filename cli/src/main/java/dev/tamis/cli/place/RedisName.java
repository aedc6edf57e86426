package dev.tamis.cli.place;

import dev.tamis.cli.console.KeyFile;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A filter on a server: {@code redis://[USER:PASSWORD@]HOST[:PORT]/NAME[?db=N]}. */
public final class RedisName implements FilterPlace {

  private static final String EXPECTED =
      "expected redis://[USER:PASSWORD@]HOST[:PORT]/NAME[?db=N], or rediss:// for TLS";

  private static final int DEFAULT_PORT = 6379;
  private static final int MAX_PORT = 65_535;

  /** Host and port; {@link URI#getHost} has none for a name with an underscore. */
  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[^\\[\\]]+\\]|[^:\\[\\]]+)(?::(\\d{1,9})?)?");

  private static final Pattern DATABASE = Pattern.compile("db=(\\d{1,9})");

  private final URI server;

  private final String user;
  private final String password;
  private final String name;
  private final String printed;

  private RedisName(URI server, String user, String password, String name, String printed) {
    this.server = server;
    this.user = user;
    this.password = password;
    this.name = name;
    this.printed = printed;
  }

  public static final class Converter implements ITypeConverter<RedisName> {
    @Override
    public RedisName convert(String text) {
      if (!isOne(text)) {
        throw wrong("must begin with redis:// or rediss://");
      }
      return parse(text);
    }
  }

  static boolean isOne(String text) {
    String start = text.toLowerCase(Locale.ROOT);
    return start.startsWith("redis://") || start.startsWith("rediss://");
  }

  /** Parses an argument; no message repeats it, as it may contain a password. */
  static RedisName parse(String text) {
    RedisName place = parseServer(text);
    if (place.isServer()) {
      throw wrong("filter name is missing");
    }
    return place;
  }

  static RedisName parseServer(String text) {
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      throw wrong("not a URL: " + e.getReason());
    }
    String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
    if (text.indexOf('@', text.indexOf("//") + 2 + authority.length()) >= 0) {
      // what is taken for host, port and name, and would be printed, is part of a password
      throw wrong("'@' must be in front of the host only; write %40 for @ and %2F for / elsewhere");
    }
    int at = authority.lastIndexOf('@');
    Matcher address = ADDRESS.matcher(authority.substring(at + 1));
    if (!address.matches()) {
      throw wrong(authority.length() == at + 1 ? "host is missing" : "host or port is malformed");
    }
    String host = address.group(1);
    int port = address.group(2) == null ? DEFAULT_PORT : Integer.parseInt(address.group(2));
    if (port == 0 || port > MAX_PORT) {
      throw wrong("port must be 1 to " + MAX_PORT + ", got " + port);
    }
    String path = uri.getPath().isEmpty() ? "/" : uri.getPath();
    if (path.indexOf('{') >= 0 || path.indexOf('}') >= 0) {
      throw wrong("filter name must not contain braces");
    }
    if (uri.getFragment() != null) {
      throw wrong("must not contain '#'");
    }
    String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
    String place = scheme + "://" + host + ":" + port;
    String[] user = authority.substring(0, Math.max(0, at)).split(":", 2);
    return new RedisName(
        URI.create(place + "/" + database(uri)),
        user[0],
        user.length < 2 ? "" : user[1],
        path.substring(1),
        place + path);
  }

  private static String database(URI uri) {
    if (uri.getQuery() == null) {
      return "0";
    }
    Matcher matcher = DATABASE.matcher(uri.getQuery());
    if (!matcher.matches()) {
      throw wrong("query must be db=N");
    }
    return matcher.group(1);
  }

  private static TypeConversionException wrong(String what) {
    return new TypeConversionException(what + "; " + EXPECTED);
  }

  public boolean isServer() {
    return name.isEmpty();
  }

  boolean hasUser() {
    return !user.isEmpty();
  }

  boolean hasPassword() {
    return !password.isEmpty();
  }

  /** Returns the server with the user and password of the URL. */
  URI server() {
    return hasPassword() ? serverWith(password) : server;
  }

  /** Returns the server with the user of the URL and this password. */
  URI serverWithPassword(String plain) {
    // every byte is escaped, so that any password makes a URL
    return serverWith(
        "%" + HexFormat.ofDelimiter("%").formatHex(plain.getBytes(StandardCharsets.UTF_8)));
  }

  private URI serverWith(String escaped) {
    String start = server.getScheme() + "://";
    return URI.create(
        start + user + ":" + escaped + "@" + server.toString().substring(start.length()));
  }

  String name() {
    return name;
  }

  @Override
  public Loaded load(KeyFile keyFile, RedisConnectionOptions password) throws IOException {
    return Loaded.OfFilter.of(
        RedisFilters.with(this, password, filters -> filters.download(keyFile)));
  }

  @Override
  public KeyRule rule(RedisConnectionOptions password) throws IOException {
    return RedisFilters.with(this, password, RedisFilters::rule);
  }

  @Override
  public String toString() {
    return printed;
  }
}
