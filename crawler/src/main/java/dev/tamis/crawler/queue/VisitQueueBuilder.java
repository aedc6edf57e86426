package dev.tamis.crawler.queue;

import static java.util.Objects.requireNonNull;

import dev.tamis.HashedMutableFilter;
import dev.tamis.MutableFilter;
import dev.tamis.crawler.queue.log.DirectoryLock;
import dev.tamis.file.HashKeyFile;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Checks;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link VisitQueue}: {@link #expectedKeys} and {@link #fpp} are required. Each
 * setter checks its own value at once.
 */
public final class VisitQueueBuilder {

  /** The default limit of a URL in bytes: what common servers accept. */
  public static final int DEFAULT_MAX_URL_BYTES = 8192;

  /** The highest limit of a URL in bytes. */
  public static final int LARGEST_MAX_URL_BYTES = 1 << 20;

  /** The default lease timeout. */
  public static final Duration DEFAULT_LEASE_TIMEOUT = Duration.ofMinutes(5);

  private static final System.Logger LOG = System.getLogger(VisitQueue.class.getName());

  private @Nullable Long expectedKeys;
  private @Nullable Double fpp;
  private @Nullable Defaults defaults;
  private @Nullable OnFull onFull;
  private LongConsumer whenFull = keys -> {};
  private LongConsumer whenTorn = bytes -> {};
  private @Nullable UrlKey key;
  private int maxUrlBytes = DEFAULT_MAX_URL_BYTES;
  private UrlScope scope = UrlScope.everything();
  private @Nullable Duration perHostDelay;
  private @Nullable Long maxPerHost;
  private Duration leaseTimeout = DEFAULT_LEASE_TIMEOUT;
  private LongSupplier nanoClock = System::nanoTime;
  private SecureRandom random = new SecureRandom();
  private @Nullable Boolean confirmed;
  private @Nullable HashedMutableFilter<? super String> shared;
  private boolean sync;
  private long checkpointBytes = QueueDirectory.CHECKPOINT_BYTES;

  VisitQueueBuilder() {}

  /** Sets n, the distinct keys expected over the life of the queue; at least 1. */
  public VisitQueueBuilder expectedKeys(long expectedKeys) {
    this.expectedKeys = Checks.atLeast("expectedKeys", expectedKeys, 1);
    return this;
  }

  /** Sets p, the probability that a new URL is taken for a seen one, in (0, 1). */
  public VisitQueueBuilder fpp(double fpp) {
    this.fpp = Checks.fpp(fpp);
    return this;
  }

  /**
   * Sets the {@link #expectedKeys} and the {@link #fpp} of a new queue where they are not called.
   * Without the former it grows, unless {@link #onFull} or {@link #sharedFilter} is called.
   */
  public VisitQueueBuilder defaults(long expectedKeys, double fpp) {
    this.defaults = new Defaults(Checks.atLeast("expectedKeys", expectedKeys, 1), Checks.fpp(fpp));
    return this;
  }

  /** Sets what happens once the expected keys have been seen; by default {@link OnFull#WARN}. */
  public VisitQueueBuilder onFull(OnFull onFull) {
    this.onFull = requireNonNull(onFull, "onFull");
    return this;
  }

  /**
   * Sets a listener that receives the number of seen keys, in addition to the log, under {@link
   * OnFull#WARN}: when it exceeds the expected keys, twice as many, four times, and so on. It runs
   * in the thread that pushed; what it throws, that push throws, after the URL was added.
   */
  public VisitQueueBuilder whenFull(LongConsumer listener) {
    this.whenFull = requireNonNull(listener, "listener");
    return this;
  }

  /**
   * Sets a listener that receives {@link QueueStats#tornBytes} of this opening, in addition to the
   * log, if there are any.
   */
  public VisitQueueBuilder whenTorn(LongConsumer listener) {
    this.whenTorn = requireNonNull(listener, "listener");
    return this;
  }

  /** Sets which URLs are the same; by default {@link UrlKey#STRICT}. */
  public VisitQueueBuilder key(UrlKey key) {
    this.key = requireNonNull(key, "key");
    return this;
  }

  /**
   * Sets the longest URL in bytes of UTF-8, 1 to {@link #LARGEST_MAX_URL_BYTES}; by default {@link
   * #DEFAULT_MAX_URL_BYTES}.
   */
  public VisitQueueBuilder maxUrlBytes(int maxUrlBytes) {
    this.maxUrlBytes = (int) Checks.range("maxUrlBytes", maxUrlBytes, 1, LARGEST_MAX_URL_BYTES);
    return this;
  }

  /** Sets which URLs are accepted; by default all. */
  public VisitQueueBuilder scope(UrlScope scope) {
    this.scope = requireNonNull(scope, "scope");
    return this;
  }

  /**
   * Tells hosts apart: round robin over hosts, one visit of a host at a time, and the next one not
   * before {@code delay} has passed since a URL was polled, or a lease ended. Without this or
   * {@link #maxPerHost}, URLs are first in, first out.
   */
  public VisitQueueBuilder perHostDelay(Duration delay) {
    if (delay.isNegative() || delay.compareTo(VisitQueue.FOREVER) > 0) {
      throw new IllegalArgumentException(
          "perHostDelay must be zero or more, and less than a century, got " + delay);
    }
    this.perHostDelay = delay;
    return this;
  }

  /** Tells hosts apart, as {@link #perHostDelay} does, and limits the URLs accepted of each. */
  public VisitQueueBuilder maxPerHost(long urls) {
    this.maxPerHost = Checks.atLeast("maxPerHost", urls, 1);
    return this;
  }

  /** Sets the lease timeout, above zero; by default {@link #DEFAULT_LEASE_TIMEOUT}. */
  public VisitQueueBuilder leaseTimeout(Duration timeout) {
    if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(VisitQueue.FOREVER) > 0) {
      throw new IllegalArgumentException(
          "leaseTimeout must be above zero, and less than a century, got " + timeout);
    }
    this.leaseTimeout = timeout;
    return this;
  }

  /** Sets the clock, in nanoseconds from any origin; by default {@link System#nanoTime}. */
  public VisitQueueBuilder nanoClock(LongSupplier nanoClock) {
    this.nanoClock = requireNonNull(nanoClock, "nanoClock");
    return this;
  }

  /**
   * Sets the source of the secret key of a new queue's hash, which prevents URLs crafted to make
   * the filter report others as seen; by default the system's.
   */
  public VisitQueueBuilder random(SecureRandom random) {
    this.random = requireNonNull(random, "random");
    return this;
  }

  /**
   * Stores every key on disk as well, to verify the filter's positives: no new URL is ever taken
   * for a seen one. Only for a queue in a directory.
   */
  public VisitQueueBuilder exactConfirmation() {
    this.confirmed = true;
    return this;
  }

  /**
   * Keeps seen keys in a filter that other queues, in other processes, put into as well: of all
   * pushes of one key to any of them, one is accepted. Each queue delivers what it accepted.
   *
   * <p>{@link #expectedKeys} and {@link #fpp} should be those the filter was built for. It cannot
   * be combined with {@link #exactConfirmation}, as the other queues' keys are not stored here, nor
   * with {@link OnFull#GROW}. A queue created with a shared filter must be opened with it.
   *
   * <p>A push is one put into the filter, during which the queue is locked, and two records in the
   * write-ahead log. What the filter throws, {@link VisitQueue#push} throws, and may yet take
   * effect: the URL is accepted with the next push that reaches the filter, or when the queue is
   * opened, which needs the filter then. No URL is lost; whether it was accepted before, by this
   * queue or another, is then unknown, and {@link QueueStats#doubtful} counts it.
   *
   * <p>How full the filter is, for {@link OnFull} and {@link QueueStats#seenKeys}, is {@link
   * MutableFilter#acceptedKeys}, which may miss what others put since the filter was opened.
   *
   * <p>A filter whose hash has no secret key is reported in the log: an author of URLs can choose
   * those for which it reports others as seen. Create it with {@link KeyHasher#keyedBy}.
   *
   * @param filter must be exact: of concurrent puts of one key, at most one may return true; and
   *     must throw if it lost keys
   */
  public VisitQueueBuilder sharedFilter(HashedMutableFilter<? super String> filter) {
    this.shared = requireNonNull(filter, "filter");
    if (!filter.hashId().algorithm().isKeyed()) {
      LOG.log(
          System.Logger.Level.WARNING,
          "visit queue: the hash of the shared filter has no secret key, so a site can choose URLs"
              + " that hide others; create the filter with hasher.keyedBy(key)");
    }
    return this;
  }

  /**
   * Forces every change to the disk before a call returns, so that a power failure loses nothing
   * either. Costs one flush of the disk per push. Without it, changes are with the operating system
   * when a call returns: the end of the process loses nothing.
   */
  public VisitQueueBuilder sync() {
    this.sync = true;
    return this;
  }

  /** Sets the size of the write-ahead log at which a checkpoint is due; for tests. */
  VisitQueueBuilder checkpointBytes(long checkpointBytes) {
    this.checkpointBytes = checkpointBytes;
    return this;
  }

  /**
   * Builds an empty queue in memory.
   *
   * @throws IllegalStateException if {@link #expectedKeys} or {@link #fpp} was not called, or
   *     {@link #exactConfirmation} or {@link #sync} was
   * @throws IllegalArgumentException if no filter satisfies these settings, or this JVM's heap
   *     cannot hold it
   */
  public VisitQueue build() {
    if (sync || confirmed != null) {
      throw new IllegalStateException(
          "sync() and exactConfirmation() are for a queue on disk: call open(directory)");
    }
    HashKey hashKey = HashKey.random(random);
    Parameters parameters = parameters(QueueKey.idOf(hashKey));
    SeenKeys seen =
        shared != null
            ? SeenKeys.shared(shared)
            : SeenKeys.of(FilterSnapshots.empty(parameters, hasher(hashKey)), 0);
    QueueState state = new QueueState(QueueStore.inMemory(), parameters, seen, nanoClock);
    return queue(parameters, effectiveKey(parameters), state, Persistence.NONE);
  }

  /**
   * Opens the queue in a directory, or creates one. What was set must equal what is stored, except
   * the delay and the limit per host, which may change, and what is not stored: scope, longest URL,
   * lease timeout, listener, {@link #sync}. What was not set is taken from the stored queue.
   *
   * @param directory the queue's directory; may be missing, or empty
   * @throws FileSystemException naming the file and the byte, if the directory is in use, is not a
   *     queue's, is damaged or cannot be read or written
   * @throws IllegalStateException if there is no queue yet and {@link #expectedKeys} or {@link
   *     #fpp} was not called
   * @throws IllegalArgumentException naming the setting that differs
   */
  public VisitQueue open(Path directory) throws IOException {
    Files.createDirectories(directory);
    return locked(directory);
  }

  /**
   * Opens the queue in a directory to look at it, without writing anything there. Settings are
   * checked as {@link #open} does and nothing else of them applies.
   *
   * @throws FileSystemException as {@link #open}, and if there is no queue
   */
  public QueueView view(Path directory) throws IOException {
    DirectoryLayout.requireQueue(directory);
    return DirectoryLayout.holding(
        DirectoryLock.share(directory),
        lock -> {
          Parameters stored = stored(DirectoryLayout.parameters(directory));
          return QueueView.open(
              directory, lock, settings(parameters(stored), storedHasher(directory, stored)));
        });
  }

  /**
   * Like {@link #open}, but does not create a queue.
   *
   * @throws FileSystemException as {@link #open}, and if there is no queue
   */
  public VisitQueue openExisting(Path directory) throws IOException {
    DirectoryLayout.requireQueue(directory);
    return locked(directory);
  }

  private VisitQueue locked(Path directory) throws IOException {
    DirectoryLayout.requireQueueOrEmpty(directory);
    QueueDirectory.Durability durability = new QueueDirectory.Durability(sync, checkpointBytes);
    QueueDirectory files =
        DirectoryLayout.holding(
            DirectoryLock.take(directory),
            lock -> QueueDirectory.open(directory, lock, createOrCheck(directory), durability));
    Parameters effective = files.parameters();
    try {
      VisitQueue queue = queue(effective, effectiveKey(effective), files.state(), files);
      queue.settle();
      return queue;
    } catch (RuntimeException | Error e) { // as if the shared filter is unreachable
      files.abandon();
      throw e;
    }
  }

  /** Creates the settings of a queue, or checks those it has; the key is stored before them. */
  private QueueContents.Settings createOrCheck(Path directory) throws IOException {
    Path file = DirectoryLayout.parameters(directory);
    if (!Files.exists(file)) {
      byte[] secret = HashKeyFile.draw(random);
      HashKey hashKey = HashKey.of(secret);
      Parameters fresh = parameters(QueueKey.idOf(hashKey)); // complete, or no file is created
      if (!fresh.shared()) {
        QueueKey.create(directory, secret);
      }
      fresh.save(file);
      return settings(fresh, hasher(hashKey));
    }
    Parameters stored = stored(file);
    KeyHasher<CharSequence> hasher = storedHasher(directory, stored);
    Parameters effective = parameters(stored);
    if (!effective.equals(stored)) {
      effective.save(file);
    }
    return settings(effective, hasher);
  }

  private QueueContents.Settings settings(Parameters parameters, KeyHasher<CharSequence> hasher) {
    UrlKey unused = effectiveKey(parameters); // known
    return new QueueContents.Settings(parameters, hasher, shared, nanoClock, whenTorn);
  }

  private static KeyHasher<CharSequence> storedHasher(Path directory, Parameters stored)
      throws IOException {
    return stored.shared() ? KeyHasher.text() : hasher(QueueKey.read(directory, stored.hashKey()));
  }

  private static KeyHasher<CharSequence> hasher(HashKey key) {
    return KeyHasher.text().keyedBy(key);
  }

  private Parameters stored(Path file) throws IOException {
    Parameters stored = Parameters.load(file);
    if (stored.shared() && shared == null) {
      throw new FileSystemException(
          file.toString(),
          null,
          "shared: must be opened with the filter that it shares with other queues, got none");
    }
    return stored;
  }

  private Parameters parameters(String hashKey) {
    if (shared != null && (confirmed != null || onFull == OnFull.GROW)) {
      throw new IllegalStateException(
          "sharedFilter(filter): cannot be combined with exactConfirmation() or OnFull.GROW; omit"
              + " one");
    }
    return new Parameters(
        required("expectedKeys(keys)", expectedKeys, Defaults::expectedKeys),
        required("fpp(probability)", fpp, Defaults::fpp),
        onFull != null ? onFull : usualOnFull(),
        key != null ? key.id() : UrlKey.STRICT.id(),
        shared != null,
        shared != null ? Parameters.NO_HASH_KEY : hashKey,
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
        stored.hashKey(),
        stored.confirmed(),
        stored.byHost(),
        perHostDelay != null ? perHostDelay.toNanos() : stored.perHostDelayNanos(),
        maxPerHost != null ? maxPerHost : stored.maxPerHost());
  }

  private static <T> void same(String name, T stored, @Nullable T wanted) {
    if (wanted != null && !wanted.equals(stored)) {
      throw new StoredParameterException(name, stored, wanted);
    }
  }

  private boolean tellsHostsApart() {
    return perHostDelay != null || maxPerHost != null;
  }

  private UrlKey effectiveKey(Parameters parameters) {
    return key != null ? key : StandardUrlKey.named(parameters.key());
  }

  private VisitQueue queue(
      Parameters parameters, UrlKey effectiveKey, QueueState state, Persistence persistence) {
    Rules rules = new Rules(effectiveKey, maxUrlBytes, scope, parameters.byHost());
    return new VisitQueue(rules, parameters, state, persistence, leaseTimeout, whenFull);
  }

  private OnFull usualOnFull() {
    return expectedKeys == null && shared == null ? OnFull.GROW : OnFull.WARN;
  }

  private <T> T required(String call, @Nullable T value, Function<Defaults, T> usual) {
    if (value != null) {
      return value;
    }
    if (defaults == null) {
      throw new IllegalStateException("call " + call + " first");
    }
    return usual.apply(defaults);
  }

  private record Defaults(long expectedKeys, double fpp) {}
}
