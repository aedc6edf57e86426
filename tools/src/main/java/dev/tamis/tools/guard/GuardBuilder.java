package dev.tamis.tools.guard;

import static java.util.Objects.requireNonNull;

import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Checks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Settings of a guard: {@link #expectedKeys} and {@link #fpp} are required. */
public final class GuardBuilder<K> {

  /** The default share of removed keys above which a guard is stale. */
  public static final double DEFAULT_STALE_SHARE = 0.5;

  private final KeyHasher<? super K> hasher;
  private @Nullable Long expectedKeys;
  private @Nullable Double fpp;
  private boolean removable;
  private double staleShare = DEFAULT_STALE_SHARE;
  private @Nullable Path file;
  private String name = "store";
  private LongSupplier nanoClock = System::nanoTime;
  private Consumer<? super GuardNotice> listener = notice -> {};

  GuardBuilder(KeyHasher<? super K> hasher) {
    this.hasher = hasher;
  }

  /**
   * Sets the keys the store is expected to hold, at least 1. With more, the filter grows and keeps
   * its fpp; a {@link #removable} one does not grow and sends a notice.
   */
  public GuardBuilder<K> expectedKeys(long expectedKeys) {
    this.expectedKeys = Checks.expectedKeys(expectedKeys);
    return this;
  }

  /** Sets p, the share of absent keys that are still looked up in the store, in (0, 1). */
  public GuardBuilder<K> fpp(double fpp) {
    this.fpp = Checks.fpp(fpp);
    return this;
  }

  /** Lets removed keys leave the filter, which then takes four times the memory. */
  public GuardBuilder<K> removable() {
    this.removable = true;
    return this;
  }

  /**
   * Sets the share of the filter's keys, in (0, 1], that may be gone from the store; {@value
   * #DEFAULT_STALE_SHARE} by default. Above it the guard is stale and reads the store; 1 is never.
   */
  public GuardBuilder<K> staleAbove(double share) {
    if (!(share > 0 && share <= 1)) { // written so that NaN fails
      throw new IllegalArgumentException("the stale share must be in (0, 1], got " + share);
    }
    this.staleShare = share;
    return this;
  }

  /**
   * Sets where the filter is saved, and read from when the guard is built. If the file is missing,
   * damaged or of other settings, the guard starts as {@link GuardState#REBUILDING}.
   *
   * <p>Unless the hasher has a secret key, the guard draws one and saves it in the same directory
   * under the file's name and {@value SavedFilter#KEY_SUFFIX}, readable only by its owner.
   *
   * @throws IllegalArgumentException if it is a directory
   */
  public GuardBuilder<K> file(Path file) {
    if (Files.isDirectory(file)) {
      throw new IllegalArgumentException(
          "the file of a guard must not be a directory, got " + file);
    }
    this.file = file;
    return this;
  }

  /** Sets the name in logs and metrics, "store" by default. */
  public GuardBuilder<K> name(String name) {
    this.name = requireNonNull(name, "name");
    return this;
  }

  /** Sets the clock that times filter and store, {@link System#nanoTime} by default. */
  public GuardBuilder<K> nanoClock(LongSupplier nanoClock) {
    this.nanoClock = requireNonNull(nanoClock, "nanoClock");
    return this;
  }

  /**
   * Sets a listener for everything that is logged. It is called in the thread of the event, which
   * may be in the middle of a put, so it should be quick. Its exceptions are logged.
   */
  public GuardBuilder<K> listener(Consumer<? super GuardNotice> listener) {
    this.listener = requireNonNull(listener, "listener");
    return this;
  }

  /**
   * Builds a guard before a store. Unless its file has a filter, call {@link ReadGuard#rebuild},
   * also for an empty store.
   *
   * @throws IllegalStateException if a setting is missing
   */
  public <V> StoreGuard<K, V> build(Store<K, V> store) {
    return new StoreGuard<>(this, requireNonNull(store, "store"));
  }

  /**
   * Builds a guard before the reading side of a store, like {@link #build}.
   *
   * @throws IllegalStateException if a setting is missing, or with {@link #removable}
   */
  public <V> ReadGuard<K, V> buildReading(StoreReader<K, V> reader) {
    if (removable) {
      throw new IllegalStateException(
          "removable() needs a store: a guard for reading removes nothing");
    }
    return new ReadGuard<>(this, requireNonNull(reader, "reader"), () -> {});
  }

  FilterPlan<K> plan(@Nullable SavedFilter saved) {
    if (expectedKeys == null || fpp == null) {
      throw new IllegalStateException("call expectedKeys(keys) and fpp(probability) first");
    }
    KeyHasher<? super K> keyed =
        hasher.hashKey().isEmpty() && saved != null
            ? hasher.keyedBy(saved.ownKey())
            : hasher.withRandomKey();
    return new FilterPlan<>(keyed, expectedKeys, fpp, removable);
  }

  double staleShare() {
    return staleShare;
  }

  @Nullable SavedFilter savedFilter() {
    return file == null ? null : new SavedFilter(file);
  }

  String name() {
    return name;
  }

  GuardMeter meter() {
    return new GuardMeter(nanoClock);
  }

  GuardNotice.Sender notices() {
    return new GuardNotice.Sender(name, listener);
  }
}
