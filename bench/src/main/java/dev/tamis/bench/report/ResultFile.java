package dev.tamis.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.tamis.bench.peers.Achieved;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Reads what JMH writes as JSON. */
final class ResultFile {

  private static final String ALLOCATED = "gc.alloc.rate.norm";

  /** The operation whose call does it for all keys; the time of the others is that of one. */
  private static final String PUT_ALL = "put";

  private ResultFile() {}

  /**
   * Returns the measurements in {@code file}, those of puts divided by the keys.
   *
   * @throws IOException if it cannot be read or is not what JMH writes
   */
  static List<Measurement> read(Path file) throws IOException {
    List<Measurement> measurements = new ArrayList<>();
    try (Reader reader = Files.newBufferedReader(file, UTF_8)) {
      for (JsonElement result : JsonParser.parseReader(reader).getAsJsonArray()) {
        measurements.add(measurement(result.getAsJsonObject()));
      }
    } catch (JsonParseException | IllegalStateException | IllegalArgumentException e) {
      throw new IOException(file + " is not a result of JMH: " + e.getMessage(), e);
    }
    return measurements;
  }

  private static Measurement measurement(JsonObject result) {
    String[] names = string(result, "benchmark").split("\\.", -1);
    String operation = names[names.length - 1];
    Map<String, String> parameters = new TreeMap<>();
    if (result.has("params")) {
      result
          .getAsJsonObject("params")
          .entrySet()
          .forEach(entry -> parameters.put(entry.getKey(), entry.getValue().getAsString()));
    }
    JsonObject primary = object(result, "primaryMetric");
    if (!string(primary, "scoreUnit").equals("ns/op")) {
      throw new IllegalArgumentException(
          operation + " is in " + string(primary, "scoreUnit") + ", not in ns/op");
    }
    double share = 1;
    if (operation.equals(PUT_ALL)) {
      share = Double.parseDouble(String.valueOf(parameters.get("keys")));
    }
    JsonObject others = object(result, "secondaryMetrics");
    return new Measurement(
        names[names.length - 2],
        operation,
        parameters,
        iterations(primary, share),
        score(others, ALLOCATED).orElse(Double.NaN) / share,
        score(others, Achieved.FPP),
        score(others, Achieved.BITS_A_KEY));
  }

  private static List<Double> iterations(JsonObject metric, double share) {
    List<Double> nanos = new ArrayList<>();
    JsonArray forks = metric.getAsJsonArray("rawData");
    for (JsonElement fork : forks) {
      for (JsonElement iteration : fork.getAsJsonArray()) {
        nanos.add(iteration.getAsDouble() / share);
      }
    }
    return nanos;
  }

  private static OptionalDouble score(JsonObject metrics, String name) {
    for (Map.Entry<String, JsonElement> entry : metrics.entrySet()) {
      if (entry.getKey().endsWith(name)) { // JMH puts a dot before the names of some profilers
        return OptionalDouble.of(entry.getValue().getAsJsonObject().get("score").getAsDouble());
      }
    }
    return OptionalDouble.empty();
  }

  private static String string(JsonObject object, String name) {
    return required(object, name).getAsString();
  }

  private static JsonObject object(JsonObject object, String name) {
    return required(object, name).getAsJsonObject();
  }

  private static JsonElement required(JsonObject object, String name) {
    JsonElement element = object.get(name);
    if (element == null) {
      throw new IllegalArgumentException("there is no " + name);
    }
    return element;
  }
}
