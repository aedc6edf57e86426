package dev.tamis.format;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.filter.BitPositions;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.Sizing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Positions and sizes in every layout, for readers in other languages: docs/vectors.json. With
 * {@code -Dtamis.docs.write=true} it is brought up to date instead.
 */
class LayoutVectorsTest {

  private static final Path FILE = Path.of("../docs/vectors.json");

  @Test
  void vectorsAreThoseOfTheLibrary() throws IOException {
    String vectors =
        "{\n"
            + array("layouts", LayoutVectorsTest::rules)
            + ",\n"
            + array("positions", LayoutVectorsTest::positions)
            + ",\n"
            + array("sizes", LayoutVectorsTest::sizes)
            + "\n}\n";
    if (Boolean.getBoolean("tamis.docs.write")) {
      Files.writeString(FILE, vectors, US_ASCII);
    }
    assertThat(Files.readString(FILE, US_ASCII)).isEqualTo(vectors);
  }

  private static String array(String name, Function<Layout, Stream<String>> rows) {
    return Stream.of(Layout.values())
        .flatMap(rows)
        .map(row -> "    {" + row + "}")
        .collect(Collectors.joining(",\n", "  \"" + name + "\": [\n", "\n  ]"));
  }

  private static Stream<String> rules(Layout layout) {
    return Stream.of(
        json(
            String.format(
                Locale.ROOT,
                "'layout': '%s', 'id': %d, 'minHashes': %d, 'maxHashes': %d, 'hashStep': %d",
                layout.label(),
                layout.id(),
                layout.minHashes(),
                layout.maxHashes(),
                layout.hashStep())));
  }

  /** The smallest, a middling and the largest array, with hashes at the ends of their range. */
  private static Stream<String> positions(Layout layout) {
    int least = layout.minHashes();
    int most = layout.maxHashes();
    long largest = Layout.MAX_BITS / layout.granularity(most) * layout.granularity(most);
    return Stream.of(
            new Shape(layout, 1_024, least),
            new Shape(layout, 512L * 999 * least, least),
            new Shape(layout, largest, most))
        .flatMap(
            shape ->
                LongStream.of(0, 1, -1, 0x1234_5678_9ABC_DEF0L, Long.MIN_VALUE)
                    .mapToObj(hash -> positions(shape, hash)));
  }

  private static String positions(Shape shape, long hash) {
    BitPositions positions = BitPositions.of(shape);
    String all =
        IntStream.range(0, shape.hashes())
            .mapToObj(probe -> Long.toString(positions.position(hash, probe)))
            .collect(Collectors.joining(", "));
    return json(
        String.format(
            Locale.ROOT,
            "'layout': '%s', 'bits': %d, 'hashes': %d, 'hash': '%016x', 'positions': [%s]",
            shape.layout().label(),
            shape.bits(),
            shape.hashes(),
            hash,
            all));
  }

  /** The shape with the fewest bits for some keys and fpp, and what its fpp is then. */
  private static Stream<String> sizes(Layout layout) {
    return LongStream.of(1, 1_000, 1_000_000, 1_000_000_000)
        .boxed()
        .flatMap(
            keys ->
                DoubleStream.of(0.1, 0.01, 1e-4, 1e-6).mapToObj(fpp -> size(layout, keys, fpp)));
  }

  private static String size(Layout layout, long keys, double fpp) {
    Shape shape = Sizing.builder().layout(layout).expectedKeys(keys).fpp(fpp).solve().shape();
    return json(
        String.format(
            Locale.ROOT,
            "'layout': '%s', 'keys': %d, 'fpp': %s, 'bits': %d, 'hashes': %d, 'fppThen': %.12e",
            layout.label(),
            keys,
            fpp,
            shape.bits(),
            shape.hashes(),
            shape.fpp(keys)));
  }

  private static String json(String members) {
    return members.replace('\'', '"');
  }
}
