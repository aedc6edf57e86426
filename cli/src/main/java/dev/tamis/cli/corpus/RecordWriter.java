package dev.tamis.cli.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.tamis.cli.console.Output;
import dev.tamis.cli.console.Streams;
import dev.tamis.corpus.Ngrams;
import dev.tamis.corpus.TextUnits;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes what is left of the records of one input, and where asked what was taken out. */
final class RecordWriter implements Closeable {

  private final Layout layout;
  private final @Nullable Target kept;
  private final @Nullable Target duplicates;
  private final @Nullable Target attributes;

  private RecordWriter(
      Layout layout,
      @Nullable Target kept,
      @Nullable Target duplicates,
      @Nullable Target attributes) {
    this.layout = layout;
    this.kept = kept;
    this.duplicates = duplicates;
    this.attributes = attributes;
  }

  /**
   * Where outputs go and what they are.
   *
   * @param folder for what is kept, or for attributes, null for nothing
   * @param duplicatesFolder for what is not kept, null for nothing
   * @param attribute the name of the attribute, null to drop repeats
   * @param keepEmpty whether to keep records without text that is left
   */
  record Layout(
      @Nullable Path folder,
      @Nullable Path duplicatesFolder,
      @Nullable String attribute,
      boolean keepEmpty) {

    RecordWriter open(Path name, Streams streams) throws IOException {
      Target kept = null;
      Target duplicates = null;
      Target attributes = null;
      try {
        if (folder != null && attribute != null) {
          Path root = folder.resolve("attributes").resolve(attribute);
          attributes = Target.at(root.resolve(name.toString()), streams);
        } else if (folder != null) {
          kept = Target.at(folder.resolve(name.toString()), streams);
        }
        if (duplicatesFolder != null) {
          duplicates = Target.at(duplicatesFolder.resolve(name.toString()), streams);
        }
        return new RecordWriter(this, kept, duplicates, attributes);
      } catch (IOException | RuntimeException e) {
        new RecordWriter(this, kept, duplicates, attributes).close();
        throw e;
      }
    }
  }

  /** Writes a batch, given which of its units are repeats and their shares of known keys. */
  void write(RecordBatch batch, boolean[] isRepeat, double[] shares, CorpusTally tally)
      throws IOException {
    int firstPlain = 0;
    for (int i = 0; i < batch.count(); i++) {
      if (attributes != null) {
        annotate(batch, i, isRepeat, shares);
      } else if (hasRepeat(batch, i, isRepeat)) {
        writeLines(batch, firstPlain, i);
        firstPlain = i + 1;
        writeRest(batch, i, isRepeat, tally);
        continue;
      }
      tally.kept++;
    }
    if (attributes == null) {
      writeLines(batch, firstPlain, batch.count());
    }
  }

  private static boolean hasRepeat(RecordBatch batch, int record, boolean[] isRepeat) {
    for (int unit = batch.firstUnit(record); unit < batch.endUnit(record); unit++) {
      if (isRepeat[unit]) {
        return true;
      }
    }
    return false;
  }

  /** Writes adjacent records as they are. */
  private void writeLines(RecordBatch batch, int from, int to) throws IOException {
    if (kept != null && from < to) {
      int start = batch.block().start(from);
      kept.stream.write(batch.block().bytes(), start, batch.block().start(to) - start);
    }
  }

  private void writeRest(RecordBatch batch, int record, boolean[] isRepeat, CorpusTally tally)
      throws IOException {
    int first = batch.firstUnit(record);
    int count = batch.endUnit(record) - first;
    boolean isWhole = count == 1 && !layout.keepEmpty();
    boolean isEmpty = isWhole || isEmptied(batch, record, isRepeat);
    if (count > 1 || layout.keepEmpty()) {
      tally.emptied += isEmpty ? 1 : 0;
    }
    if (isEmpty && !layout.keepEmpty()) {
      tally.dropped++;
    } else {
      tally.kept++;
      tally.changed++;
      if (kept != null) {
        writeUnits(batch, record, isRepeat, false, kept.stream);
      }
    }
    if (duplicates != null) {
      writeUnits(batch, record, isRepeat, true, duplicates.stream);
    }
  }

  /** Returns whether what is left has no word. */
  private static boolean isEmptied(RecordBatch batch, int record, boolean[] isRepeat) {
    TextUnits units = batch.units();
    for (int unit = batch.firstUnit(record); unit < batch.endUnit(record); unit++) {
      if (!isRepeat[unit] && units.firstKey(unit) < units.endKey(unit)) {
        return false; // without a look at the text
      }
    }
    byte[] text = batch.textOf(record);
    for (int unit = batch.firstUnit(record); unit < batch.endUnit(record); unit++) {
      if (!isRepeat[unit] && Ngrams.countWords(text, units.start(unit), units.end(unit), 1) > 0) {
        return false;
      }
    }
    return true;
  }

  /** Writes a record whose text has the {@code wanted} units only. */
  private static void writeUnits(
      RecordBatch batch, int record, boolean[] isRepeat, boolean wanted, OutputStream out)
      throws IOException {
    byte[] bytes = batch.block().bytes();
    TextUnits units = batch.units();
    int start = batch.block().start(record);
    int raw = batch.text(record);
    out.write(bytes, start, raw - start);
    for (int unit = batch.firstUnit(record); unit < batch.endUnit(record); unit++) {
      int next = batch.advance(raw, units.next(unit) - units.start(unit));
      if (isRepeat[unit] == wanted) {
        out.write(bytes, raw, next - raw);
      }
      raw = next;
    }
    out.write(bytes, raw, batch.block().start(record + 1) - raw);
  }

  /** Writes the spans of the repeats, as dolma's taggers do; in code points of the text. */
  private void annotate(RecordBatch batch, int record, boolean[] isRepeat, double[] shares)
      throws IOException {
    OutputStream out = requireNonNull(attributes).stream;
    StringBuilder line = new StringBuilder("{\"id\":");
    line.append(new String(batch.id(record), UTF_8)).append(",\"attributes\":{");
    line.append(quoted(String.valueOf(layout.attribute()))).append(":[");
    if (hasRepeat(batch, record, isRepeat)) {
      byte[] text = batch.textOf(record);
      TextUnits units = batch.units();
      int at = 0;
      int points = 0;
      String comma = "";
      for (int unit = batch.firstUnit(record); unit < batch.endUnit(record); unit++) {
        int before = points;
        points += codePoints(text, at, units.next(unit));
        at = units.next(unit);
        if (isRepeat[unit]) {
          String share = String.format(Locale.ROOT, "%.4f", shares[unit]);
          line.append(comma).append('[').append(before).append(',').append(points);
          line.append(',').append(share.replaceFirst("\\.?0+$", "")).append(']');
          comma = ",";
        }
      }
    }
    out.write(line.append("]}}\n").toString().getBytes(UTF_8));
  }

  static int codePoints(byte[] text, int from, int to) {
    int points = 0;
    for (int i = from; i < to; i++) {
      points += (text[i] & 0xC0) != 0x80 ? 1 : 0;
    }
    return points;
  }

  /** Returns a text as a string of JSON. */
  static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.chars()
        .forEach(
            each -> {
              if (each == '"' || each == '\\') {
                quoted.append('\\').append((char) each);
              } else if (each < ' ' || Character.isSurrogate((char) each)) {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", each));
              } else {
                quoted.append((char) each);
              }
            });
    return quoted.append('"').toString();
  }

  /** Makes the outputs visible, each atomically. */
  void commit() throws IOException {
    for (Target each : new @Nullable Target[] {kept, duplicates, attributes}) {
      if (each != null) {
        each.commit();
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (Target each : new @Nullable Target[] {kept, duplicates, attributes}) {
      if (each != null) {
        each.output.close();
      }
    }
  }

  private record Target(Output output, OutputStream stream) {

    private static final int BUFFER_BYTES = 1 << 17;

    static Target at(Path file, Streams streams) throws IOException {
      Path parent = file.toAbsolutePath().getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      Output output = Output.compressed(file, streams);
      return new Target(output, new BufferedOutputStream(output.stream(), BUFFER_BYTES));
    }

    void commit() throws IOException {
      stream.flush();
      output.commit();
    }
  }
}
