package dev.tamis.cli.corpus;

import dev.tamis.cli.compression.DecompressOption;
import dev.tamis.cli.lines.Block;
import dev.tamis.cli.lines.LineFormat;
import dev.tamis.corpus.TextUnits;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;

/** A guess at the keys of all inputs, from samples of some; of compressed ones the beginning. */
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
    int samplesEach = Math.max(1, SAMPLES / files.all().size());
    for (int i = 0; i < files.all().size(); i += step) {
      CorpusFiles.CorpusFile input = files.all().get(i);
      boolean isCompressed = new DecompressOption().applies(input.path());
      long between = isCompressed ? input.bytes() : input.bytes() / samplesEach;
      long next = 0;
      while (next < input.bytes()) {
        try (FileChannel channel = FileChannel.open(input.path(), StandardOpenOption.READ)) {
          channel.position(next);
          InputStream in = new BufferedInputStream(Channels.newInputStream(channel));
          InputStream data = new DecompressOption().dataOf(in);
          boolean isWhole = read(data, next > 0, batch);
          long end = isWhole ? input.bytes() : channel.position();
          batch.prepare();
          keys += units.keyCount();
          sampledBytes += end - next;
          next = isCompressed ? input.bytes() : Math.max(end, next + between);
        }
      }
    }
    double estimate = sampledBytes == 0 ? 0 : keys * (allBytes / sampledBytes);
    return Math.max(1, (long) (sampledBytes < allBytes ? MARGIN * estimate : estimate));
  }

  /**
   * Reads about one batch, from the next line on if {@code isInLine}; true at the end. Damaged data
   * is an error when it is read for good.
   */
  private static boolean read(InputStream data, boolean isInLine, RecordBatch batch) {
    LineFormat.LineEnds ends = LineFormat.plain((byte) '\n').ends();
    try {
      Block none = new Block(0);
      none.beginInput("");
      batch.block().startWithRestOf(none);
      int skipped = isInLine ? 0 : '\n';
      while (skipped >= 0 && skipped != '\n') {
        skipped = data.read();
      }
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
