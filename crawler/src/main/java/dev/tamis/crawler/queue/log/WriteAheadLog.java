package dev.tamis.crawler.queue.log;

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

/**
 * A write-ahead log in segments: records numbered from 0, each appended before it is applied.
 *
 * <p>When {@link #append} returns, the bytes are with the operating system and survive the end of
 * this process; with {@code sync} they are on the disk and survive a power failure. Opening the log
 * replays it from the last checkpoint and truncates a torn tail, the record that a crash
 * interrupted, which is kept in a file of its own, as it may have been a file cut short. Any other
 * damage is an error. A checkpoint is the owner's: it makes what was applied durable elsewhere,
 * then calls {@link #rotate} and {@link #deleteBefore}.
 *
 * <p>Not thread-safe.
 *
 * @param <R> the type of record
 */
public final class WriteAheadLog<R> implements Closeable {

  private final Path directory;
  private final boolean sync;
  private final RecordCodec<R> codec;
  private final ArrayDeque<Segment> segments = new ArrayDeque<>();
  private RandomAccessFile file;
  private long activeBytes;
  private long next;
  private boolean broken;

  private WriteAheadLog(Path directory, boolean sync, RecordCodec<R> codec, Replayed replayed)
      throws IOException {
    this.directory = directory;
    this.sync = sync;
    this.codec = codec;
    segments.addAll(replayed.segments());
    next = replayed.end().number();
    activeBytes = replayed.end().bytes();
    Segment active = segments.getLast();
    active.keepTail(activeBytes);
    file = new RandomAccessFile(active.path().toFile(), "rw");
    if (activeBytes < Segment.HEADER_BYTES) {
      file.setLength(0);
      file.write(active.header());
      activeBytes = Segment.HEADER_BYTES;
    } else {
      file.setLength(activeBytes); // truncates the torn tail
      file.seek(activeBytes);
    }
  }

  /**
   * Opens a log that was replayed, to append to it, and cuts off a torn tail.
   *
   * @param sync whether each append is forced to the disk
   */
  public static <R> WriteAheadLog<R> open(
      Path directory, boolean sync, RecordCodec<R> codec, Replayed replayed) throws IOException {
    return new WriteAheadLog<>(directory, sync, codec, replayed);
  }

  /**
   * Replays the log in a directory, an empty one if there is none, and leaves it as it is.
   *
   * @param replay receives the records from the checkpoint on, in order
   * @throws FileSystemException if files are missing or damaged
   */
  public static <R> Replayed replay(
      Path directory, Checkpoint checkpoint, RecordCodec<R> codec, Replay<R> replay)
      throws IOException {
    List<Segment> found = list(directory);
    long start = found.isEmpty() ? 0 : found.get(0).first();
    long from = checkpoint.from();
    if (start > from) {
      throw lost(directory, "first record must be at most " + from + ", got " + start);
    }
    if ((found.isEmpty() ? -1 : found.get(found.size() - 1).first()) < checkpoint.segment()) {
      throw lost(directory, "no segment starts at record " + checkpoint.segment());
    }
    Segment.End end = new Segment.End(start, 0);
    for (int i = 0; i < found.size(); i++) {
      Segment segment = found.get(i);
      if (segment.first() != end.number()) {
        throw lost(directory, "expected record " + end.number() + " next, got " + segment.first());
      }
      end =
          segment.read(
              i == found.size() - 1,
              codec,
              (number, entry) -> {
                if (number >= from) {
                  replay.apply(number, entry);
                }
              });
    }
    if (end.number() < checkpoint.end()) {
      throw lost(
          directory, "expected at least " + checkpoint.end() + " records, got " + end.number());
    }
    List<Segment> segments = found.isEmpty() ? List.of(Segment.in(directory, 0)) : found;
    return new Replayed(segments, end, segments.get(segments.size() - 1).tailBytes(end.bytes()));
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
        "write-ahead log: " + what + ": a segment is missing; restore the directory from a backup");
  }

  /** Returns the number that the next record will have. */
  public long next() {
    return next;
  }

  /** Returns the first record number of the active segment. */
  public long activeSegment() {
    return segments.getLast().first();
  }

  /** Returns the size of the active segment. */
  public long activeBytes() {
    return activeBytes;
  }

  /** Returns the size of all segments. */
  public long totalBytes() throws IOException {
    long bytes = 0;
    for (Segment segment : segments) {
      bytes += Files.size(segment.path());
    }
    return bytes;
  }

  /**
   * Appends a record.
   *
   * @throws FileSystemException if that fails; the record is not in the log then
   */
  public void append(R entry) throws IOException {
    if (broken) {
      throw named(new IOException("an earlier write failed; close the queue and open it again"));
    }
    byte[] bytes = Segment.frame(codec.encode(entry), next);
    try {
      file.write(bytes);
      if (sync) {
        file.getFD().sync();
      }
    } catch (IOException e) {
      rollBack(e);
      throw named(e);
    }
    activeBytes += bytes.length;
    next++;
  }

  private void rollBack(IOException cause) {
    try {
      file.setLength(activeBytes);
      file.seek(activeBytes);
    } catch (IOException e) {
      broken = true;
      cause.addSuppressed(e);
    }
  }

  /**
   * Starts a new segment.
   *
   * @throws FileSystemException if that fails; the old segment stays active then
   */
  public void rotate() throws IOException {
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
    activeBytes = Segment.HEADER_BYTES;
    segments.addLast(segment);
  }

  /** Deletes the segments that hold no record from this number on. */
  public void deleteBefore(long number) throws IOException {
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
   * A log that was read to its end.
   *
   * @param segments its files, in order; at least one, which may be missing in an empty log
   * @param end where its last complete record ends
   * @param tornBytes the bytes after that
   */
  public record Replayed(List<Segment> segments, Segment.End end, long tornBytes) {}

  /**
   * What the last checkpoint requires of the log.
   *
   * @param from the first record to replay
   * @param end how many records there must be at least, counted from 0
   * @param segment the first record of a segment that must exist, or {@link #NO_SEGMENT}
   */
  public record Checkpoint(long from, long end, long segment) {

    /** No segment is required. */
    public static final long NO_SEGMENT = -1;
  }

  /**
   * Applies records as they are read.
   *
   * @param <R> the type of record
   */
  public interface Replay<R> {

    /**
     * Applies a record.
     *
     * @throws IllegalStateException if it contradicts the records before it
     */
    void apply(long number, R entry) throws IOException;
  }

  /**
   * Encodes the records of a write-ahead log as bytes.
   *
   * @param <R> the type of record
   */
  public interface RecordCodec<R> {

    /** Returns the bytes of a record, at least one. */
    byte[] encode(R record);

    /**
     * Decodes what {@link #encode} returned, which must fill the buffer.
     *
     * @param payload the bytes, little-endian
     * @throws IllegalArgumentException saying why, if the bytes are not a record
     */
    R decode(ByteBuffer payload);
  }
}
