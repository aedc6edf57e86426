package dev.tamis.crawler.queue;

import static java.util.Objects.requireNonNull;

import dev.tamis.HashedMutableFilter;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.h2.mvstore.MVStore;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link VisitQueue}: {@link #expectedKeys} and {@link #fpp} are required. Each
 * setter checks its own value at once.
 */
public final class VisitQueueBuilder {

  /** The most bytes a URL may have unless told otherwise: what common servers take. */
  public static final int DEFAULT_MAX_URL_BYTES = 8192;

  /** The most bytes that a URL can be allowed to have. */
  public static final int LARGEST_MAX_URL_BYTES = 1 << 20;

  /** How long a lease lasts unless told otherwise. */
  public static final Duration DEFAULT_LEASE_TIMEOUT = Duration.ofMinutes(5);

  private static final String PARAMETERS = "queue.properties";

  private @Nullable Long expectedKeys;
  private @Nullable Double fpp;
  private @Nullable OnFull onFull;
  private LongConsumer whenFull = keys -> {};
  private @Nullable UrlKey key;
  private int maxUrlBytes = DEFAULT_MAX_URL_BYTES;
  private UrlScope scope = UrlScope.everything();
  private @Nullable Duration perHostDelay;
  private @Nullable Long maxPerHost;
  private Duration leaseTimeout = DEFAULT_LEASE_TIMEOUT;
  private LongSupplier nanoClock = System::nanoTime;
  private @Nullable Boolean confirmed;
  private @Nullable HashedMutableFilter<? super String> shared;
  private boolean sync;
  private long checkpointBytes = Disk.CHECKPOINT_BYTES;

  VisitQueueBuilder() {}

  /** Sets n, the different keys expected over the life of the queue; at least 1. */
  public VisitQueueBuilder expectedKeys(long expectedKeys) {
    this.expectedKeys = atLeastOne("expectedKeys", expectedKeys);
    return this;
  }

  /** Sets p, the probability that a new URL is taken for a seen one, in (0, 1). */
  public VisitQueueBuilder fpp(double fpp) {
    if (!(fpp > 0 && fpp < 1)) { // written so that NaN fails
      throw new IllegalArgumentException("fpp must be in (0, 1), got " + fpp);
    }
    this.fpp = fpp;
    return this;
  }

  /** Sets what happens once the expected keys have been seen; without it, {@link OnFull#WARN}. */
  public VisitQueueBuilder onFull(OnFull onFull) {
    this.onFull = requireNonNull(onFull, "onFull");
    return this;
  }

  /**
   * Sets who is told the number of keys, beside the log, under {@link OnFull#WARN}: when more than
   * the expected keys have been seen, more than twice as many, four times, and so on. It runs in
   * the thread that pushed; what it throws comes out of that push, after the URL is in.
   */
  public VisitQueueBuilder whenFull(LongConsumer listener) {
    this.whenFull = requireNonNull(listener, "listener");
    return this;
  }

  /** Sets which URLs are the same; without it, {@link UrlKey#NORMALIZED}. */
  public VisitQueueBuilder key(UrlKey key) {
    this.key = requireNonNull(key, "key");
    return this;
  }

  /**
   * Sets the most bytes of UTF-8 that a URL may have, 1 to {@link #LARGEST_MAX_URL_BYTES}; {@link
   * #DEFAULT_MAX_URL_BYTES} without.
   */
  public VisitQueueBuilder maxUrlBytes(int maxUrlBytes) {
    if (maxUrlBytes < 1 || maxUrlBytes > LARGEST_MAX_URL_BYTES) {
      throw new IllegalArgumentException(
          "maxUrlBytes must be 1 to " + LARGEST_MAX_URL_BYTES + ", got " + maxUrlBytes);
    }
    this.maxUrlBytes = maxUrlBytes;
    return this;
  }

  /** Sets which URLs are wanted; all without. */
  public VisitQueueBuilder scope(UrlScope scope) {
    this.scope = requireNonNull(scope, "scope");
    return this;
  }

  /**
   * Tells hosts apart: they take turns, one visit of a host at a time, and the next one not before
   * {@code delay} has passed since a URL was polled, or a lease ended. Without this or {@link
   * #maxPerHost}, URLs come in the order in which they were pushed.
   *
   * @param delay zero or more
   */
  public VisitQueueBuilder perHostDelay(Duration delay) {
    if (delay.isNegative() || delay.compareTo(VisitQueue.FOREVER) > 0) {
      throw new IllegalArgumentException(
          "perHostDelay must be zero or more, and less than a century, got " + delay);
    }
    this.perHostDelay = delay;
    return this;
  }

  /**
   * Tells hosts apart, as {@link #perHostDelay} does, and accepts at most so many URLs of each.
   *
   * @param urls at least 1
   */
  public VisitQueueBuilder maxPerHost(long urls) {
    this.maxPerHost = atLeastOne("maxPerHost", urls);
    return this;
  }

  /** Sets how long a lease lasts, more than zero; {@link #DEFAULT_LEASE_TIMEOUT} without. */
  public VisitQueueBuilder leaseTimeout(Duration timeout) {
    if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(VisitQueue.FOREVER) > 0) {
      throw new IllegalArgumentException(
          "leaseTimeout must be more than zero, and less than a century, got " + timeout);
    }
    this.leaseTimeout = timeout;
    return this;
  }

  /** Sets what tells the time, in nanoseconds from any beginning; the system's without. */
  public VisitQueueBuilder nanoClock(LongSupplier nanoClock) {
    this.nanoClock = requireNonNull(nanoClock, "nanoClock");
    return this;
  }

  /**
   * Keeps every key on disk as well, and believes the filter's "seen" only if the key is there: no
   * new URL is ever taken for a seen one. Only for a queue in a directory.
   */
  public VisitQueueBuilder exactConfirmation() {
    this.confirmed = true;
    return this;
  }

  /**
   * Remembers what was seen in a filter that other queues, in other processes, put into as well: of
   * all pushes of one key to any of them, one is accepted. Each queue delivers what it accepted.
   *
   * <p>{@link #expectedKeys} and {@link #fpp} should be those that the filter was made for. With
   * {@link #exactConfirmation} or {@link OnFull#GROW} it cannot be: others' keys are not here, and
   * a shared filter does not grow. A queue that was made so has to be opened so, with that filter.
   *
   * <p>A push is one put into the filter, during which the queue is locked, and two records in the
   * journal. What the filter throws comes out of {@link VisitQueue#push}, which may take place all
   * the same: the URL comes in with the next push that reaches the filter, or when the queue is
   * opened, which reaches for the filter then. Nothing is lost so; whether another queue has taken
   * that URL too is then not known, and {@link QueueStats#doubtful} counts it.
   *
   * <p>How full the filter is, for {@link OnFull} and {@link QueueStats#seenKeys}, goes by {@link
   * MutableFilter#acceptedKeys}, which may leave out what others put since the filter was opened.
   *
   * @param filter must be exact: of all who put one key at once, at most one may be told that it is
   *     new; and must throw if it lost keys
   */
  public VisitQueueBuilder sharedFilter(HashedMutableFilter<? super String> filter) {
    this.shared = requireNonNull(filter, "filter");
    return this;
  }

  /**
   * Forces every change to the disk before a call returns, so that the end of the power loses
   * nothing either. Costs one flush of the disk for each push. Without it, changes are with the
   * system when a call returns: the end of the process loses nothing.
   */
  public VisitQueueBuilder sync() {
    this.sync = true;
    return this;
  }

  /** Sets how much journal there is between two checkpoints, for tests that have little time. */
  VisitQueueBuilder checkpointBytes(long checkpointBytes) {
    this.checkpointBytes = checkpointBytes;
    return this;
  }

  /**
   * Builds an empty queue in memory.
   *
   * @throws IllegalStateException if {@link #expectedKeys} or {@link #fpp} was not called, or
   *     {@link #exactConfirmation} or {@link #sync} was
   * @throws IllegalArgumentException if no filter can be so, or this JVM's heap cannot hold it
   */
  public VisitQueue build() {
    if (sync || confirmed != null) {
      throw new IllegalStateException(
          "sync() and exactConfirmation() are for a queue on disk: call open(directory)");
    }
    Parameters parameters = parameters();
    MVStore store = new MVStore.Builder().autoCommitDisabled().open();
    Seen seen = shared != null ? Seen.shared(shared) : Seen.of(FilterFiles.empty(parameters), 0);
    Contents contents = new Contents(store, parameters, seen, nanoClock);
    return queue(parameters, effectiveKey(parameters), contents, ChangeLog.NONE);
  }

  /**
   * Opens the queue in a directory, or makes one there. What was set must be as it was when the
   * queue was made, except the delay and the most URLs of a host, which may change, and what is not
   * stored: scope, longest URL, lease time, listener, {@link #sync}. What was not set is as it was.
   *
   * @param directory where the queue is; it may be missing, or empty
   * @throws FileSystemException naming the file and the place, if the directory is in use, holds
   *     something else, is damaged or cannot be read or written
   * @throws IllegalStateException if there is no queue yet and {@link #expectedKeys} or {@link
   *     #fpp} was not called
   * @throws IllegalArgumentException naming the setting that is not as it was
   */
  public VisitQueue open(Path directory) throws IOException {
    Files.createDirectories(directory);
    return locked(directory);
  }

  static boolean hasQueue(Path directory) {
    return Files.isRegularFile(directory.resolve(PARAMETERS));
  }

  /**
   * Does what {@link #open} does, and makes nothing.
   *
   * @throws FileSystemException as {@link #open}, and if there is no queue
   */
  public VisitQueue openExisting(Path directory) throws IOException {
    if (!hasQueue(directory)) {
      throw new FileSystemException(directory.toString(), null, "holds no queue; push makes one");
    }
    return locked(directory);
  }

  private VisitQueue locked(Path directory) throws IOException {
    refuseOtherThings(directory);
    DirectoryLock lock = DirectoryLock.take(directory);
    boolean opened = false;
    try {
      Parameters effective = settle(directory.resolve(PARAMETERS));
      UrlKey wanted = effectiveKey(effective);
      Disk.Options options = new Disk.Options(sync, nanoClock, checkpointBytes, shared);
      Disk disk = Disk.open(directory, lock, effective, options);
      opened = true;
      return settled(disk, () -> queue(effective, wanted, disk.contents(), disk));
    } finally {
      if (!opened) {
        lock.close();
      }
    }
  }

  /** Reaches for the shared filter, if there is one, and lets go of the disk if it is not there. */
  private static VisitQueue settled(Disk disk, Supplier<VisitQueue> maker) throws IOException {
    boolean done = false;
    try {
      VisitQueue queue = maker.get();
      queue.settle();
      done = true;
      return queue;
    } finally {
      if (!done) {
        disk.abandon();
      }
    }
  }

  private static void refuseOtherThings(Path directory) throws IOException {
    if (Files.exists(directory.resolve(PARAMETERS))) {
      return;
    }
    try (Stream<Path> paths = Files.list(directory)) {
      boolean others =
          paths
              .map(path -> path.getFileName().toString())
              .anyMatch(name -> !name.equals(DirectoryLock.NAME) && !name.endsWith(".tmp"));
      if (others) {
        throw new FileSystemException(
            directory.toString(),
            null,
            "is not empty and holds no " + PARAMETERS + ", so it is no queue; name another");
      }
    }
  }

  private Parameters settle(Path file) throws IOException {
    if (!Files.exists(file)) {
      Parameters fresh = parameters();
      fresh.save(file);
      return fresh;
    }
    Parameters stored = Parameters.load(file);
    if (stored.shared() && shared == null) {
      throw new FileSystemException(
          file.toString(), null, "says that the filter is shared: call sharedFilter(filter) first");
    }
    Parameters effective = parameters(stored);
    if (!effective.equals(stored)) {
      effective.save(file);
    }
    return effective;
  }

  private Parameters parameters() {
    if (shared != null && (confirmed != null || onFull == OnFull.GROW)) {
      throw new IllegalStateException(
          "sharedFilter(filter) goes with neither exactConfirmation() nor OnFull.GROW:"
              + " leave one of them out");
    }
    return new Parameters(
        required("expectedKeys(keys)", expectedKeys),
        required("fpp(probability)", fpp),
        onFull != null ? onFull : OnFull.WARN,
        key != null ? key.id() : UrlKey.NORMALIZED.id(),
        shared != null,
        confirmed != null,
        tellsHostsApart(),
        perHostDelay != null ? perHostDelay.toNanos() : 0,
        maxPerHost != null ? maxPerHost : Long.MAX_VALUE);
  }

  private Parameters parameters(Parameters stored) {
    same("expectedKeys", stored.expectedKeys(), expectedKeys);
    same("fpp", stored.fpp(), fpp);
    same("onFull", stored.onFull(), onFull);
    same("key", stored.key(), key != null ? key.id() : null);
    same("sharedFilter", stored.shared(), shared != null ? Boolean.TRUE : null);
    same("exactConfirmation", stored.confirmed(), confirmed);
    same("byHost", stored.byHost(), tellsHostsApart() ? Boolean.TRUE : null);
    return new Parameters(
        stored.expectedKeys(),
        stored.fpp(),
        stored.onFull(),
        stored.key(),
        stored.shared(),
        stored.confirmed(),
        stored.byHost(),
        perHostDelay != null ? perHostDelay.toNanos() : stored.perHostDelayNanos(),
        maxPerHost != null ? maxPerHost : stored.maxPerHost());
  }

  private static <T> void same(String name, T stored, @Nullable T wanted) {
    if (wanted != null && !wanted.equals(stored)) {
      throw new IllegalArgumentException(
          name
              + " of the queue is "
              + stored
              + ", got "
              + wanted
              + "; leave it out, or make another queue");
    }
  }

  private boolean tellsHostsApart() {
    return perHostDelay != null || maxPerHost != null;
  }

  private UrlKey effectiveKey(Parameters parameters) {
    return key != null ? key : ReadyKey.named(parameters.key());
  }

  private VisitQueue queue(
      Parameters parameters, UrlKey effectiveKey, Contents contents, ChangeLog log) {
    Rules rules = new Rules(effectiveKey, maxUrlBytes, scope, parameters.byHost());
    return new VisitQueue(
        rules, parameters, contents, log, new Leases(leaseTimeout.toNanos()), whenFull);
  }

  private static <T> T required(String call, @Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("call " + call + " first");
    }
    return value;
  }

  private static long atLeastOne(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, got " + value);
    }
    return value;
  }
}
