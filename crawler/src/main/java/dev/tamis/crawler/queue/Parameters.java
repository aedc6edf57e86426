package dev.tamis.crawler.queue;

import dev.tamis.file.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * What a queue is and stays, in a file for people too.
 *
 * @param expectedKeys the different keys it is for
 * @param fpp the probability that a new URL is taken for a seen one
 * @param onFull what happens past the expected keys
 * @param key the name of what tells URLs apart
 * @param shared whether the filter is one that others put into too, and is not kept here
 * @param confirmed whether keys are kept on disk to confirm what the filter says
 * @param byHost whether hosts are told apart
 * @param perHostDelayNanos how long a host waits between visits
 * @param maxPerHost the most URLs of a host
 */
record Parameters(
    long expectedKeys,
    double fpp,
    OnFull onFull,
    String key,
    boolean shared,
    boolean confirmed,
    boolean byHost,
    long perHostDelayNanos,
    long maxPerHost) {

  private static final int VERSION = 1;
  private static final long MAX_BYTES = 1 << 16;

  Parameters {
    if (expectedKeys < 1 || !(fpp > 0 && fpp < 1) || perHostDelayNanos < 0 || maxPerHost < 1) {
      throw new IllegalArgumentException("a parameter is out of its range");
    }
  }

  private Map<String, String> fields() {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("version", String.valueOf(VERSION));
    fields.put("expectedKeys", String.valueOf(expectedKeys));
    fields.put("fpp", String.valueOf(fpp));
    fields.put("onFull", onFull.name());
    fields.put("key", key);
    if (shared) { // and else nothing, so that files are what they were before there was sharing
      fields.put("shared", "true");
    }
    fields.put("confirmed", String.valueOf(confirmed));
    fields.put("byHost", String.valueOf(byHost));
    fields.put("perHostDelayNanos", String.valueOf(perHostDelayNanos));
    fields.put("maxPerHost", String.valueOf(maxPerHost));
    return fields;
  }

  /** Writes the file, which is replaced as a whole. */
  void save(Path path) throws IOException {
    StringBuilder text = new StringBuilder();
    fields().forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
    try (AtomicFile file = AtomicFile.create(path)) {
      file.out().write(text.toString().getBytes(StandardCharsets.UTF_8));
      file.commit();
    }
  }

  /**
   * Reads the file.
   *
   * @throws FileSystemException naming the field that is wrong
   */
  static Parameters load(Path path) throws IOException {
    if (Files.size(path) > MAX_BYTES) {
      throw new FileSystemException(path.toString(), null, "is too long for a queue's parameters");
    }
    Map<String, String> fields = new LinkedHashMap<>();
    String all = new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
    for (String line : all.lines().toList()) {
      String[] parts = line.split("=", 2);
      if (parts.length < 2 || fields.put(parts[0], parts[1]) != null) {
        throw wrong(path, parts[0], "is not there once, with a value", "");
      }
    }
    field(path, fields, "version", text -> required(Integer.parseInt(text) == VERSION));
    Parameters read =
        new Parameters(
            field(path, fields, "expectedKeys", text -> positive(Long.parseLong(text))),
            field(path, fields, "fpp", Parameters::probability),
            field(path, fields, "onFull", OnFull::valueOf),
            field(path, fields, "key", text -> text),
            fields.containsKey("shared") && field(path, fields, "shared", Parameters::truth),
            field(path, fields, "confirmed", Parameters::truth),
            field(path, fields, "byHost", Parameters::truth),
            field(
                path, fields, "perHostDelayNanos", text -> positive(Long.parseLong(text) + 1) - 1),
            field(path, fields, "maxPerHost", text -> positive(Long.parseLong(text))));
    for (String name : fields.keySet()) {
      if (!read.fields().containsKey(name)) {
        throw wrong(path, name, "is not known", "");
      }
    }
    return read;
  }

  private static <T> T field(
      Path path, Map<String, String> fields, String name, Function<String, T> parser)
      throws FileSystemException {
    String text = fields.get(name);
    if (text == null) {
      throw wrong(path, name, "is missing", "");
    }
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw wrong(path, name, "cannot be", " '" + text + "'");
    }
  }

  private static boolean required(boolean condition) {
    if (!condition) {
      throw new IllegalArgumentException("out of range");
    }
    return true;
  }

  private static long positive(long value) {
    required(value > 0);
    return value;
  }

  private static double probability(String text) {
    double p = Double.parseDouble(text);
    required(p > 0 && p < 1);
    return p;
  }

  private static boolean truth(String text) {
    required(text.equals("true") || text.equals("false"));
    return text.equals("true");
  }

  private static FileSystemException wrong(Path path, String name, String what, String value) {
    return new FileSystemException(
        path.toString(),
        null,
        "field '" + name + "' " + what + value + "; bring the directory back from a copy");
  }
}
