package dev.tamis.file;

import static java.util.Objects.requireNonNull;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.Filter;
import dev.tamis.HashedFilter;
import dev.tamis.Storable;
import dev.tamis.Traits;
import dev.tamis.file.FilterFile.FileHeader;
import dev.tamis.filter.FilterView;
import dev.tamis.format.FormatException;
import dev.tamis.format.Frame;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A read-only filter in a file that is replaced while a service queries it.
 *
 * <p>Choose it for a list that is built elsewhere and distributed: passwords, known files, blocked
 * addresses. It has no thread of its own; {@link #refresh} checks the file, and never throws for
 * its contents, so that a scheduler can call it:
 *
 * <pre>{@code
 * ReloadingFilter<CharSequence> denied = ReloadingFilter.load(path, KeyHasher.text());
 * scheduler.scheduleWithFixedDelay(denied::refresh, 10, 10, TimeUnit.SECONDS);
 * }</pre>
 *
 * <p>A new file takes effect for all threads at once, after all of its bytes were read and their
 * checksum compared. It must agree with the filter in use in kind, hash, seed or key, and the rule
 * of its keys. Otherwise it is refused, and the filter in use stays, as it does while there is no
 * file. A query, and a bulk query as a whole, uses one version; it never waits.
 *
 * <p>Replace the file by renaming, as all of Tamis' tools do, or by switching a symbolic link. One
 * that is {@linkplain #load loaded} may also be overwritten: what is half written is refused. One
 * that is {@linkplain #map mapped} must not be, because the filter in use would change too: see
 * {@link FilterView}.
 *
 * <p>Any number of threads may use one filter, also while another refreshes it.
 *
 * @param <T> the type of key
 */
public final class ReloadingFilter<T> implements HashedFilter<T> {

  /*
   * A file is a new one if its time, length, identity or checksum differ: renaming keeps the time
   * that a copy preserves, and a file system may reuse the identity and has coarse times. These are
   * read before the contents, so that a file that is replaced in between counts as new next time.
   *
   * The previous version is never unmapped: a thread may be reading it. As for any mapped file, the
   * garbage collector does that once no query holds it.
   */

  private final Path path;
  private final KeyHasher<? super T> hasher;
  private final boolean isMapped;
  private final InstantSource clock;
  private final BoundHasher<T> hashing;

  private volatile HashedFilter<T> inUse;
  private volatile Status status;

  /** The file in use; guarded by this, as the following. */
  private Stamp loaded;

  private @Nullable Refusal refused;

  ReloadingFilter(Path path, KeyHasher<? super T> hasher, boolean isMapped, InstantSource clock)
      throws IOException {
    this.path = requireNonNull(path, "path");
    this.hasher = requireNonNull(hasher, "hasher");
    this.isMapped = isMapped;
    this.clock = clock;
    this.loaded = Stamp.of(path);
    this.inUse = read(path, hasher, isMapped);
    this.hashing = inUse.hasher();
    this.status = new Status(loaded.time, clock.instant(), 0, 0, 0, Optional.empty());
  }

  /**
   * Reads the filter in a file, of any kind but Guava's, as {@link FilterFile#load} does; during a
   * reload the heap has to hold both versions.
   *
   * @param hasher must hash as the one that filled the filter, which the bytes do not say
   * @throws FileSystemException if the file cannot be read, or is not a filter or damaged
   */
  public static <T> ReloadingFilter<T> load(Path path, KeyHasher<? super T> hasher)
      throws IOException {
    return new ReloadingFilter<>(path, hasher, false, InstantSource.system());
  }

  /**
   * Maps the filter in a file, as {@link FilterFile#map} does, and verifies its checksum. A version
   * that was replaced stays mapped, and takes up disk space, until it is garbage collected.
   *
   * @throws FileSystemException as {@link #load}, or if the filter is of a kind that cannot be
   *     mapped
   */
  public static <T> ReloadingFilter<T> map(Path path, KeyHasher<? super T> hasher)
      throws IOException {
    return new ReloadingFilter<>(path, hasher, true, InstantSource.system());
  }

  /**
   * Loads the file if it has changed. An unchanged file costs some 20 microseconds, a new one a
   * pass over its bytes. A damaged file is read again only when it changes.
   *
   * @return the status, whose {@link Status#refusal} says why the file there is not in use
   */
  public synchronized Status refresh() {
    Optional<IOException> refusal;
    try {
      refusal = check();
    } catch (IOException e) {
      refusal = Optional.of(e);
    } catch (InternalError e) { // thrown where a mapped file ends before its length
      refusal = Optional.of(new FileSystemException(path.toString(), null, "is being truncated"));
    }
    status = status.checked(refusal);
    return status;
  }

  private Optional<IOException> check() throws IOException {
    Stamp found = Stamp.of(path);
    if (found.equals(loaded)) {
      return Optional.empty();
    }
    if (refused != null && refused.stamp.equals(found)) {
      return Optional.of(refused.reason);
    }
    try {
      HashedFilter<T> before = inUse;
      FileHeader header = FileHeader.read(path);
      String keyType = FilterFile.keyType(path);
      // before anything is allocated, and again because the file may be another by now
      requireAlike(
          before, header.kind(), header.hashId(), keyType.isEmpty() ? hasher.rule() : keyType);
      HashedFilter<T> next = read(path, hasher, isMapped);
      requireAlike(before, kind(next), next.hashId(), next.hasher().keyType());
      inUse = next;
    } catch (FileSystemException e) {
      FileSystemException reason =
          isMapped && found.file != null && found.file.equals(loaded.file) ? overwritten(e) : e;
      if (e.getCause() instanceof FormatException) {
        refused = new Refusal(found, reason);
      }
      throw reason;
    }
    loaded = found;
    refused = null;
    status = status.reloaded(found.time, clock.instant());
    return Optional.empty();
  }

  private FileSystemException overwritten(FileSystemException e) {
    return FileErrors.named(
        path.toString(),
        e.getReason()
            + "; it was overwritten while mapped, so that answers cannot be relied upon:"
            + " replace it by renaming",
        e);
  }

  private void requireAlike(HashedFilter<T> before, Kind kind, HashId hashId, String rule)
      throws FileSystemException {
    Optional<String> difference =
        identity(kind(before), before.hashId(), before.hasher().keyType())
            .difference(identity(kind, hashId, rule));
    if (difference.isPresent()) {
      throw new FileSystemException(
          path.toString(), null, "cannot replace the filter in use: " + difference.get());
    }
  }

  private static Traits identity(Kind kind, HashId hashId, String rule) {
    return Traits.of("filter")
        .matching("kind", kind.label())
        .matching("hash", hashId)
        .matching("rule of the keys", '"' + rule + '"');
  }

  private static Kind kind(Filter<?> filter) {
    return ((Storable) filter).kind();
  }

  private static <T> HashedFilter<T> read(Path path, KeyHasher<? super T> hasher, boolean isMapped)
      throws IOException {
    if (isMapped) {
      FilterView<T> view = FilterFile.map(path, hasher);
      try {
        view.verifyChecksum();
      } catch (FormatException e) {
        throw FileErrors.named(path, e);
      }
      return view;
    }
    if (FilterFile.<T>load(path, hasher) instanceof HashedFilter<T> filter) {
      return filter;
    }
    throw new FileSystemException(
        path.toString(), null, "is Guava's, which cannot be queried by hashes of 64 bits");
  }

  /**
   * Returns the version in use, for several queries of the same version or for what its class
   * knows. It is shared: nothing may be put into it.
   */
  public HashedFilter<T> current() {
    return inUse;
  }

  /** Returns the version in use and what became of the checks, as of the last {@link #refresh}. */
  public Status status() {
    return status;
  }

  /** Returns how this filter hashes its keys, the same for all versions. */
  @Override
  public BoundHasher<T> hasher() {
    return hashing;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return inUse.mightContainHash(hash);
  }

  @Override
  public void mightContainHashes(long[] hashes, int count, boolean[] answers) {
    inUse.mightContainHashes(hashes, count, answers);
  }

  @Override
  public double expectedFpp() {
    return inUse.expectedFpp();
  }

  @Override
  public Estimate approximateElementCount(Confidence confidence) {
    return inUse.approximateElementCount(confidence);
  }

  @Override
  public long bitSize() {
    return inUse.bitSize();
  }

  @Override
  public Traits traits() {
    return Traits.of("ReloadingFilter").with("file", path).with(inUse.traits());
  }

  @Override
  public String toString() {
    return traits().toString();
  }

  /**
   * The version in use, and what became of the checks.
   *
   * @param modifiedAt when the file in use was last modified, as its file system says
   * @param loadedAt when it was loaded
   * @param checks how often the file was checked, without the opening
   * @param reloads how many checks loaded a new version
   * @param refusals how many checks found no file that could be used
   * @param refusal why the last check did; empty if the file there is in use
   */
  public record Status(
      Instant modifiedAt,
      Instant loadedAt,
      long checks,
      long reloads,
      long refusals,
      Optional<IOException> refusal) {

    private Status reloaded(Instant modified, Instant now) {
      return new Status(modified, now, checks, reloads + 1, refusals, refusal);
    }

    private Status checked(Optional<IOException> found) {
      long refused = found.isPresent() ? refusals + 1 : refusals;
      return new Status(modifiedAt, loadedAt, checks + 1, reloads, refused, found);
    }
  }

  /** A file whose contents are refused. */
  private record Refusal(Stamp stamp, IOException reason) {}

  /** What distinguishes a file from the one before, without reading it. */
  private record Stamp(Instant time, long bytes, @Nullable Object file, int checksum) {

    static Stamp of(Path path) throws IOException {
      BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
      if (!found.isRegularFile()) {
        throw new FileSystemException(path.toString(), null, "is not a regular file");
      }
      ByteBuffer trailer = ByteBuffer.allocate(Frame.TRAILER_BYTES);
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
        int unused = channel.read(trailer, Math.max(0, found.size() - Frame.TRAILER_BYTES));
      }
      return new Stamp(
          found.lastModifiedTime().toInstant(), found.size(), found.fileKey(), trailer.getInt(0));
    }
  }
}
