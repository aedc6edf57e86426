package dev.tamis.crawler.queue.log;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.disk.FilePathDisk;
import org.jspecify.annotations.Nullable;

/**
 * A file of an MVStore that survives the interruption of the thread that uses it.
 *
 * <p>A channel of the JDK would be closed: say, when a visitor is cancelled in the middle of a
 * push.
 */
public final class StoreFile extends FileBaseDefault {

  private static final String SCHEME = "tamis-queue";
  private static final String LIMITED = "tamis-queue-limited";

  /** The store's blocks; it reads their headers and footers if a file was not closed. */
  private static final int BLOCK_BYTES = 4096;

  private static final int READS_PER_BLOCK = 16;
  private static final int FEWEST_READS = 10_000;

  static {
    FilePath.register(new Scheme(SCHEME));
    FilePath.register(new Scheme(LIMITED));
  }

  private final RandomAccessFile file;
  private long readsLeft;

  private StoreFile(RandomAccessFile file, long readsLeft) {
    this.file = file;
    this.readsLeft = readsLeft;
  }

  /** Returns the name under which MVStore opens a path as such a file. */
  public static String name(Path path) {
    return SCHEME + ":" + path.toAbsolutePath();
  }

  /**
   * Returns the name under which MVStore opens a path as such a file, which fails after a number of
   * reads that is far above what a sound file needs.
   */
  public static String nameWithLimit(Path path) {
    return LIMITED + ":" + path.toAbsolutePath();
  }

  @Override
  public long size() throws IOException {
    return file.length();
  }

  @Override
  public synchronized int read(ByteBuffer target, long position) throws IOException {
    if (--readsLeft < 0) {
      throw new IOException("read again and again: pages refer to each other in a cycle");
    }
    file.seek(position);
    byte[] bytes = new byte[target.remaining()];
    int read = file.read(bytes);
    if (read > 0) {
      target.put(bytes, 0, read);
    }
    return read;
  }

  @Override
  public synchronized int write(ByteBuffer source, long position) throws IOException {
    byte[] bytes = new byte[source.remaining()];
    source.get(bytes);
    file.seek(position);
    file.write(bytes);
    return bytes.length;
  }

  @Override
  protected void implTruncate(long size) throws IOException {
    file.setLength(size);
  }

  @Override
  public void force(boolean metaData) throws IOException {
    file.getFD().sync();
  }

  @Override
  public @Nullable FileLock tryLock(long position, long size, boolean shared) throws IOException {
    return file.getChannel().tryLock(position, size, shared);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    file.close();
  }

  /** Resolves file names that begin with the scheme. */
  private static final class Scheme extends FilePathDisk {

    private final String scheme;

    private Scheme(String scheme) {
      this.scheme = scheme;
    }

    @Override
    public String getScheme() {
      return scheme;
    }

    @Override
    public FilePathDisk getPath(String path) {
      Scheme file = new Scheme(scheme);
      String prefix = scheme + ":";
      file.name = path.startsWith(prefix) ? path.substring(prefix.length()) : path;
      return file;
    }

    @Override
    public FileChannel open(String mode) throws IOException {
      RandomAccessFile file = new RandomAccessFile(name, mode);
      return new StoreFile(
          file,
          scheme.equals(LIMITED)
              ? FEWEST_READS + file.length() / BLOCK_BYTES * READS_PER_BLOCK
              : Long.MAX_VALUE);
    }
  }
}
