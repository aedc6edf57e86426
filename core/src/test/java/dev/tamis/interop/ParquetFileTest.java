package dev.tamis.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The filters in a real Parquet file, which parquet-java writes and reads beside us. */
class ParquetFileTest {

  private static final int ROWS = 5_000;
  private static final int ASKED = 100_000;
  private static final String[] COLUMNS = {"name", "id", "count", "ratio"};
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message row { required binary name (STRING); required int64 id; required int32 count;"
              + " required double ratio; }");

  @TempDir static Path folder;

  @BeforeAll
  static void write() throws IOException {
    RowWriter builder = new RowWriter(new LocalOutputFile(file()));
    builder.withConf(new PlainParquetConfiguration());
    for (String column : COLUMNS) {
      builder.withBloomFilterEnabled(column, true);
      builder.withBloomFilterNDV(column, ROWS);
      builder.withBloomFilterFPP(column, 0.02);
    }
    try (ParquetWriter<Long> writer = builder.build()) {
      for (long row = 0; row < ROWS; row++) {
        writer.write(row);
      }
    }
  }

  @Test
  void textIsFound() throws IOException {
    check(0, KeyHasher.text(), Exchange::text, (Function<String, Object>) Binary::fromString);
  }

  @Test
  void longsAreFound() throws IOException {
    check(1, KeyHasher.longs(), Exchange::number, key -> key);
  }

  @Test
  void intsAreFound() throws IOException {
    check(2, KeyHasher.ints(), Exchange::smallNumber, key -> key);
  }

  @Test
  void doublesAreFound() throws IOException {
    check(
        3,
        KeyHasher.longs().<Double>on(Double::doubleToRawLongBits),
        number -> number / 3.0,
        key -> key);
  }

  private static <T> void check(
      int column, KeyHasher<? super T> hasher, LongFunction<T> keys, Function<T, Object> theirs)
      throws IOException {
    byte[] file = Files.readAllBytes(file());
    ParquetReadOptions options =
        ParquetReadOptions.builder(new PlainParquetConfiguration()).build();
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file()), options)) {
      BlockMetaData block = reader.getFooter().getBlocks().get(0);
      ColumnChunkMetaData chunk = block.getColumns().get(column);
      BloomFilter there = reader.getBloomFilterDataReader(block).readBloomFilter(chunk);
      int start = Math.toIntExact(chunk.getBloomFilterOffset());
      int end = start + chunk.getBloomFilterLength();
      ByteArrayInputStream in = new ByteArrayInputStream(file, start, file.length - start);

      ParquetBloomFilter<T> here =
          ParquetBloomFilter.readWithHeaderFrom(in, hasher, ParquetBloomFilter.MAX_BYTES);

      assertThat(in.available()).as("left unread").isEqualTo(file.length - end);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      here.writeWithHeaderTo(out);
      assertThat(out.toByteArray()).isEqualTo(Arrays.copyOfRange(file, start, end));
      long disagreements = 0;
      for (long number = 0; number < ASKED; number++) {
        T key = keys.apply(number);
        boolean answer = there.findHash(there.hash(theirs.apply(key)));
        disagreements += here.mightContain(key) == answer ? 0 : 1;
        assertThat(number >= ROWS || answer).isTrue();
      }
      assertThat(disagreements).isZero();
    }
  }

  private static Path file() {
    return folder.resolve("rows.parquet");
  }

  private static final class RowWriter extends ParquetWriter.Builder<Long, RowWriter> {

    RowWriter(OutputFile file) {
      super(file);
    }

    @Override
    protected RowWriter self() {
      return this;
    }

    @Override
    @Deprecated
    protected WriteSupport<Long> getWriteSupport(Configuration configuration) {
      return new Rows();
    }

    @Override
    protected WriteSupport<Long> getWriteSupport(ParquetConfiguration configuration) {
      return new Rows();
    }
  }

  private static final class Rows extends WriteSupport<Long> {

    private RecordConsumer consumer;

    @Override
    @Deprecated
    public WriteContext init(Configuration configuration) {
      return new WriteContext(SCHEMA, Map.of());
    }

    @Override
    public WriteContext init(ParquetConfiguration configuration) {
      return new WriteContext(SCHEMA, Map.of());
    }

    @Override
    public void prepareForWrite(RecordConsumer consumer) {
      this.consumer = consumer;
    }

    @Override
    public void write(Long row) {
      consumer.startMessage();
      field(0, () -> consumer.addBinary(Binary.fromString(Exchange.text(row))));
      field(1, () -> consumer.addLong(Exchange.number(row)));
      field(2, () -> consumer.addInteger(Exchange.smallNumber(row)));
      field(3, () -> consumer.addDouble(row / 3.0));
      consumer.endMessage();
    }

    private void field(int index, Runnable value) {
      consumer.startField(COLUMNS[index], index);
      value.run();
      consumer.endField(COLUMNS[index], index);
    }
  }
}
