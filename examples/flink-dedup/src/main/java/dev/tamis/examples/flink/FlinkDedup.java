package dev.tamis.examples.flink;

import dev.tamis.flink.Seen;
import dev.tamis.hash.KeyHasher;
import java.util.Locale;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.serialization.SimpleStringEncoder;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.connector.file.src.reader.TextLineInputFormat;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** Drops repeated lines of a text file in a Flink job, and prints how many there were. */
public final class FlinkDedup {

  private static final int WRONG_USAGE = 2;

  /** Lines of real files are longer on average, so there are no more different ones than that. */
  private static final int BYTES_PER_LINE = 10;

  private FlinkDedup() {}

  /**
   * Takes a file or a URI, and the directory for the lines that are left; without, none are kept.
   */
  public static void main(String[] args) throws Exception {
    if (args.length < 1 || args.length > 2) {
      System.err.println("usage: java " + FlinkDedup.class.getName() + " FILE [DIRECTORY]");
      System.exit(WRONG_USAGE);
    }
    Path file = new Path(args[0]);
    long bytes = file.getFileSystem().getFileStatus(file).getLen();
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    DataStream<String> lines =
        counted(
            environment.fromSource(
                FileSource.forRecordStreamFormat(new TextLineInputFormat(), file).build(),
                WatermarkStrategy.noWatermarks(),
                "lines"),
            "lines");

    Seen<String> seen =
        Seen.<String>builder(KeyHasher.text())
            .expectedKeys(Math.max(1, bytes / BYTES_PER_LINE))
            .fpp(1e-6)
            .build();
    SingleOutputStreamOperator<String> first = seen.firstOf(lines).uid("seen");
    counted(seen.repeatedOf(first), "duplicates").sinkTo(new DiscardingSink<>());
    DataStream<String> unique = counted(first, "unique");
    if (args.length == 2) {
      unique.sinkTo(
          FileSink.forRowFormat(new Path(args[1]), new SimpleStringEncoder<String>())
              .withRollingPolicy(OnCheckpointRollingPolicy.build())
              .build());
    } else {
      unique.sinkTo(new DiscardingSink<>());
    }
    System.out.println(summary(environment.execute("flink-dedup")));
  }

  private static String summary(JobExecutionResult result) {
    long lines = result.<Long>getAccumulatorResult("lines");
    long unique = result.<Long>getAccumulatorResult("unique");
    long duplicates = result.<Long>getAccumulatorResult("duplicates");
    if (lines != unique + duplicates) {
      throw new IllegalStateException(
          lines + " lines came, but " + unique + " + " + duplicates + " came out");
    }
    return String.format(
        Locale.ROOT, "lines=%d unique=%d duplicates=%d", lines, unique, duplicates);
  }

  private static DataStream<String> counted(DataStream<String> lines, String name) {
    return lines.map(new Counted(name)).name("count " + name);
  }

  /** Passes lines on and counts them. */
  private static final class Counted extends RichMapFunction<String, String> {

    private static final long serialVersionUID = 1;

    private final String name;
    private final LongCounter count = new LongCounter();

    Counted(String name) {
      this.name = name;
    }

    @Override
    public void open(OpenContext context) {
      getRuntimeContext().addAccumulator(name, count);
    }

    @Override
    public String map(String line) {
      count.add(1L);
      return line;
    }
  }
}
