package dev.tamis.crawler.queue;

import dev.tamis.file.FileErrors;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.h2.mvstore.WriteBuffer;

/**
 * Changes in files, numbered from 0 on, each written before it is made. One thread at a time.
 *
 * <p>When {@link #write} returns, the bytes are with the system, so the end of this process does
 * not lose them; with {@code sync} they are on the disk, so the end of the power does not either.
 */
final class Journal implements Closeable {

  private final Path directory;
  private final boolean sync;
  private final ArrayDeque<Segment> segments = new ArrayDeque<>();
  private final WriteBuffer buffer = new WriteBuffer();
  private RandomAccessFile file;
  private long fileBytes;
  private long next;
  private boolean broken;

  private Journal(Path directory, boolean sync, List<Segment> found, Segment.End end)
      throws IOException {
    this.directory = directory;
    this.sync = sync;
    segments.addAll(found);
    next = end.number();
    fileBytes = end.bytes();
    file = new RandomAccessFile(segments.getLast().path().toFile(), "rw");
    if (fileBytes < Segment.HEADER_BYTES) {
      file.setLength(0);
      file.write(segments.getLast().header());
      fileBytes = Segment.HEADER_BYTES;
    } else {
      file.setLength(fileBytes); // what was cut off goes
      file.seek(fileBytes);
    }
  }

  /**
   * Opens the journal in a directory, an empty one if there is none, and reads it.
   *
   * @throws FileSystemException if files are missing or damaged
   */
  static Journal open(Path directory, boolean sync, Expected expected, Segment.Reader reader)
      throws IOException {
    List<Segment> found = list(directory);
    long start = found.isEmpty() ? 0 : found.get(0).first();
    long from = expected.from();
    if (start > from) {
      throw lost(directory, "begins with change " + start + ", but change " + from + " is needed");
    }
    if ((found.isEmpty() ? -1 : found.get(found.size() - 1).first()) < expected.segment()) {
      throw lost(directory, "does not go on after change " + expected.segment());
    }
    Segment.End end = new Segment.End(start, 0);
    for (int i = 0; i < found.size(); i++) {
      Segment segment = found.get(i);
      if (segment.first() != end.number()) {
        throw lost(directory, "goes from change " + end.number() + " to " + segment.first());
      }
      end =
          segment.read(
              i == found.size() - 1,
              (number, change) -> {
                if (number >= from) {
                  reader.read(number, change);
                }
              });
    }
    if (end.number() < expected.to()) {
      throw lost(directory, "ends at change " + end.number() + ", but there were " + expected.to());
    }
    List<Segment> segments = found.isEmpty() ? List.of(Segment.in(directory, 0)) : found;
    return new Journal(directory, sync, segments, end);
  }

  private static List<Segment> list(Path directory) throws IOException {
    try (Stream<Path> paths = Files.list(directory)) {
      return new ArrayList<>(
          paths
              .map(Segment::ofName)
              .filter(Objects::nonNull)
              .sorted(Comparator.comparingLong(Segment::first))
              .toList());
    }
  }

  private static FileSystemException lost(Path directory, String what) {
    return new FileSystemException(
        directory.toString(),
        null,
        "the journal " + what + ": a file is missing; bring the directory back from a copy");
  }

  /** Returns the number that the next change will have. */
  long next() {
    return next;
  }

  /** Returns the number of the first change that the file being written has room for. */
  long newest() {
    return segments.getLast().first();
  }

  /** Returns the bytes of the file that is being written. */
  long fileBytes() {
    return fileBytes;
  }

  /** Returns the bytes of all files. */
  long bytes() throws IOException {
    long bytes = 0;
    for (Segment segment : segments) {
      bytes += Files.size(segment.path());
    }
    return bytes;
  }

  /**
   * Writes a change down.
   *
   * @throws FileSystemException if that fails; the change is not in the journal then
   */
  void write(Change change) throws IOException {
    if (broken) {
      throw named(new IOException("an earlier write failed; close the queue and open it again"));
    }
    byte[] bytes = encode(change);
    try {
      file.write(bytes);
      if (sync) {
        file.getFD().sync();
      }
    } catch (IOException e) {
      takeBack(e);
      throw named(e);
    }
    fileBytes += bytes.length;
    next++;
  }

  private byte[] encode(Change change) {
    buffer.clear();
    buffer.putLong(0).putInt(0); // room for the header
    ChangeCodec.write(change, buffer);
    ByteBuffer encoded = buffer.getBuffer().flip();
    byte[] bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    Segment.putHeader(bytes, next);
    return bytes;
  }

  private void takeBack(IOException cause) {
    try {
      file.setLength(fileBytes);
      file.seek(fileBytes);
    } catch (IOException e) {
      broken = true;
      cause.addSuppressed(e);
    }
  }

  /**
   * Goes on in a new file.
   *
   * @throws FileSystemException if that fails; the journal goes on in the old one then
   */
  void roll() throws IOException {
    Segment segment = Segment.in(directory, next);
    RandomAccessFile fresh = null;
    try {
      fresh = new RandomAccessFile(segment.path().toFile(), "rw");
      fresh.write(segment.header());
      file.close();
    } catch (IOException e) {
      if (fresh != null) {
        fresh.close();
        Files.deleteIfExists(segment.path());
      }
      throw named(e);
    }
    file = fresh;
    fileBytes = Segment.HEADER_BYTES;
    segments.addLast(segment);
  }

  /** Deletes the files that hold no change from this number on. */
  void deleteBefore(long number) throws IOException {
    while (segments.size() > 1) {
      Segment oldest = segments.removeFirst();
      if (segments.getFirst().first() > number) {
        segments.addFirst(oldest);
        return;
      }
      Files.deleteIfExists(oldest.path());
    }
  }

  private FileSystemException named(IOException e) {
    return FileErrors.named(segments.getLast().path(), e);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /**
   * What must be there.
   *
   * @param from the first change that is wanted
   * @param to how many changes there must be at least
   * @param segment the first change of a file that must be there, or {@link #NO_SEGMENT}
   */
  record Expected(long from, long to, long segment) {

    static final long NO_SEGMENT = -1;
  }
}
