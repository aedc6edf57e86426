package dev.tamis.cli.filter;

import dev.tamis.cli.console.KeyFile;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.place.Descriptions;
import dev.tamis.cli.place.FilterPlace;
import dev.tamis.cli.place.KeyRule;
import dev.tamis.cli.place.Loaded;
import dev.tamis.cli.place.RedisConnectionOptions;
import dev.tamis.cli.place.RedisFilters;
import dev.tamis.cli.place.RedisName;
import dev.tamis.cli.report.Report;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis info}: the parameters and the state of a filter. */
@Command(
    name = "info",
    description = "Print the parameters, the fill and the fpp of a filter or sketch.",
    footer = {
      "Example:",
      "  $ seq 1000 | tamis build -q -n 1000 -p 0.01 -o a.tamis",
      "  $ tamis info a.tamis",
      "  kind           bloom",
      "  layout         split",
      "  ...",
    })
public final class Info implements Callable<Integer> {

  private final Streams streams;

  @Mixin private final KeyFile keyFile;
  @Mixin private final RedisConnectionOptions password;

  @Option(names = "--json", description = "Print JSON, with exact numbers.")
  private boolean json;

  @Parameters(
      paramLabel = "FILTER",
      converter = FilterPlace.OrServer.class,
      description =
          "A file written by tamis build, dedup -s or a program, redis://HOST:PORT/NAME, or"
              + " redis://HOST:PORT for a list of the filters there.")
  private FilterPlace place;

  public Info(Streams streams) {
    this.streams = streams;
    this.keyFile = new KeyFile(streams.err());
    this.password = new RedisConnectionOptions(streams.err());
  }

  @Override
  public Integer call() throws IOException {
    Report facts =
        place instanceof RedisName server
            ? RedisFilters.with(
                server,
                password,
                filters -> server.isServer() ? filters.list() : filters.describe(keyFile))
            : describeFile(Path.of(place.toString()));
    streams.print(json ? facts.json() + "\n" : facts.table());
    return 0;
  }

  private Report describeFile(Path file) throws IOException {
    return Descriptions.of(Loaded.from(file, keyFile))
        .all(KeyRule.of(file).report())
        .count("bytes", Files.size(file))
        .text("checksum", checksum(file));
  }

  /** Reads the checksum at the end of the file, which was verified on loading. */
  private static String checksum(Path file) throws IOException {
    ByteBuffer trailer = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      channel.read(trailer, channel.size() - Integer.BYTES);
    }
    return HexFormat.of().toHexDigits(trailer.getInt(0));
  }
}
