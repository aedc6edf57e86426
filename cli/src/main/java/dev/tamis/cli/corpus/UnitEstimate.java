package dev.tamis.cli.corpus;

import dev.tamis.cli.compression.DecompressOption;
import dev.tamis.cli.lines.Block;
import dev.tamis.cli.lines.LineFormat;
import dev.tamis.corpus.TextUnits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;

/** A guess at the keys of all inputs, from the beginnings of some. */
final class UnitEstimate {

  private static final int SAMPLES = 64;

  /** Added where only a part was read: an overestimate costs less than an underestimate. */
  private static final double MARGIN = 1.05;

  private UnitEstimate() {}

  /** Returns about how many keys there are, repeats included, at least 1. */
  static long keys(CorpusFiles files, String field, TextUnits units) throws IOException {
    RecordBatch batch = new RecordBatch(field, units);
    double keys = 0;
    double sampledBytes = 0;
    double allBytes = files.bytes();
    int step = Math.max(1, files.all().size() / SAMPLES);
    for (int i = 0; i < files.all().size(); i += step) {
      CorpusFiles.CorpusFile input = files.all().get(i);
      try (FileChannel channel = FileChannel.open(input.path(), StandardOpenOption.READ);
          InputStream data = new DecompressOption().dataOf(Channels.newInputStream(channel))) {
        long all = channel.size();
        boolean isWhole = read(data, batch);
        long read = isWhole ? all : channel.position();
        batch.prepare();
        keys += units.keyCount();
        sampledBytes += read;
      }
    }
    double estimate = sampledBytes == 0 ? 0 : keys * (allBytes / sampledBytes);
    return Math.max(1, (long) (sampledBytes < allBytes ? MARGIN * estimate : estimate));
  }

  /** Reads about one batch; true at the end. Damaged data is an error when it is read for good. */
  private static boolean read(InputStream data, RecordBatch batch) {
    LineFormat.LineEnds ends = LineFormat.plain((byte) '\n').ends();
    try {
      Block none = new Block(0);
      none.beginInput("");
      batch.block().startWithRestOf(none);
      while (batch.block().read(data)) {
        batch.block().split(ends);
        if (batch.block().isFull()) {
          return false;
        }
      }
      batch.block().endLine((byte) '\n');
      batch.block().split(ends);
      return true;
    } catch (IOException e) {
      return true;
    }
  }
}
