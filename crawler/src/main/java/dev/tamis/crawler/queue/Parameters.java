package dev.tamis.crawler.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tamis.file.AtomicFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Properties;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The stored settings of a queue, a Java properties file.
 *
 * @param expectedKeys distinct keys expected
 * @param fpp the probability that a new URL is taken for a seen one
 * @param onFull what happens past the expected keys
 * @param key the name of the URL key
 * @param shared whether the filter is shared with other queues, and not stored here
 * @param hashKey the id of the secret key of the filter's hash, 16 hexadecimal digits; {@link
 *     #NO_HASH_KEY} if the filter is shared
 * @param confirmed whether keys are stored to verify the filter's positives
 * @param byHost whether hosts are told apart
 * @param perHostDelayNanos the delay between visits of a host
 * @param maxPerHost the most URLs accepted of a host
 */
record Parameters(
    long expectedKeys,
    double fpp,
    OnFull onFull,
    String key,
    boolean shared,
    String hashKey,
    boolean confirmed,
    boolean byHost,
    long perHostDelayNanos,
    long maxPerHost) {

  /** The id of the key where the filter is shared: its owner knows. */
  static final String NO_HASH_KEY = "none";

  private static final Pattern HASH_KEY = Pattern.compile("[0-9a-f]{16}");
  private static final String VERSION = "1";
  private static final int MAX_BYTES = 1 << 16;

  Parameters {
    check("expectedKeys", expectedKeys, expectedKeys >= 1, "at least 1");
    check("fpp", fpp, fpp > 0 && fpp < 1, "above 0 and below 1");
    check(
        "hashKey",
        hashKey,
        shared ? hashKey.equals(NO_HASH_KEY) : HASH_KEY.matcher(hashKey).matches(),
        shared ? NO_HASH_KEY : "16 hexadecimal digits");
    check("perHostDelayNanos", perHostDelayNanos, perHostDelayNanos >= 0, "at least 0");
    check("maxPerHost", maxPerHost, maxPerHost >= 1, "at least 1");
  }

  private Properties properties() {
    Properties properties = new Properties();
    properties.setProperty("version", VERSION);
    properties.setProperty("expectedKeys", String.valueOf(expectedKeys));
    properties.setProperty("fpp", String.valueOf(fpp));
    properties.setProperty("onFull", onFull.name());
    properties.setProperty("key", key);
    properties.setProperty("shared", String.valueOf(shared));
    properties.setProperty("hashKey", hashKey);
    properties.setProperty("confirmed", String.valueOf(confirmed));
    properties.setProperty("byHost", String.valueOf(byHost));
    properties.setProperty("perHostDelayNanos", String.valueOf(perHostDelayNanos));
    properties.setProperty("maxPerHost", String.valueOf(maxPerHost));
    return properties;
  }

  void save(Path path) throws IOException {
    StringWriter text = new StringWriter();
    properties().store(text, null);
    try (AtomicFile file = AtomicFile.create(path)) {
      for (String line : text.toString().lines().sorted().toList()) {
        if (!line.startsWith("#")) { // the date
          file.out().write((line + "\n").getBytes(UTF_8));
        }
      }
      file.commit();
    }
  }

  /**
   * Reads the file.
   *
   * @throws FileSystemException naming the property that is wrong
   */
  static Parameters load(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      check("length", bytes.length, bytes.length <= MAX_BYTES, "at most " + MAX_BYTES);
      Properties properties = new Properties();
      properties.load(new StringReader(new String(bytes, UTF_8)));
      return of(properties);
    } catch (IllegalArgumentException e) {
      throw new FileSystemException(
          path.toString(), null, e.getMessage() + "; restore the directory from a backup");
    }
  }

  private static Parameters of(Properties found) {
    String version = get(found, "version", text -> text);
    check("version", version, version.equals(VERSION), VERSION);
    Parameters read =
        new Parameters(
            get(found, "expectedKeys", Long::valueOf),
            get(found, "fpp", Double::valueOf),
            get(found, "onFull", OnFull::valueOf),
            get(found, "key", text -> text),
            get(found, "shared", Parameters::truth),
            get(found, "hashKey", text -> text),
            get(found, "confirmed", Parameters::truth),
            get(found, "byHost", Parameters::truth),
            get(found, "perHostDelayNanos", Long::valueOf),
            get(found, "maxPerHost", Long::valueOf));
    for (String name : found.stringPropertyNames()) {
      check(name, found.getProperty(name), read.properties().containsKey(name), "absent");
    }
    return read;
  }

  private static <T> T get(Properties found, String name, Function<String, T> parser) {
    String text = found.getProperty(name);
    if (text == null) {
      throw new IllegalArgumentException(name + ": must be set, got nothing");
    }
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ": must be valid, got " + text, e);
    }
  }

  private static boolean truth(String text) {
    check("flag", text, text.equals("true") || text.equals("false"), "true or false");
    return text.equals("true");
  }

  private static void check(String name, Object value, boolean valid, String range) {
    if (!valid) {
      throw new IllegalArgumentException(name + ": must be " + range + ", got " + value);
    }
  }
}
