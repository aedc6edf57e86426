package dev.tamis.sketch;

import static java.util.Objects.requireNonNull;

import dev.tamis.Mergeable;
import dev.tamis.Storable;
import dev.tamis.Traits;
import dev.tamis.format.Frame;
import dev.tamis.format.FrameReader;
import dev.tamis.format.FrameWriter;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.Words;
import dev.tamis.internal.counters.CounterRows;
import dev.tamis.sizing.Checks;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A count-min sketch: how often each key was put, never too low. Not thread-safe: one for each
 * thread, then {@linkplain #putAll merge} them.
 *
 * <p>For N puts in total the count of a key is its true one or more, and more by over ε·N with
 * probability δ at most. So it is suitable for frequent keys; the count of a rare one may be all
 * noise. Memory and the cost of a put depend on ε and δ alone: ⌈e/ε⌉ · ⌈ln 1/δ⌉ counters of eight
 * bytes, of which a put or a query accesses ⌈ln 1/δ⌉.
 *
 * <pre>{@code
 * CountMinSketch<String> views = CountMinSketch.create(KeyHasher.text(), 0.001, 0.01);
 * views.put(url);
 * views.approximateCount(url); // at least 1, and too high by more than 0.1 % of N once in 100
 * }</pre>
 *
 * <p>With {@linkplain CountMinSketchBuilder#conservative conservative update} the counts are lower
 * and still never too low, but such sketches cannot be merged.
 *
 * <p>Counters and the total saturate at {@link Long#MAX_VALUE}; that number means "or more". The
 * probability is over the choice of hash seed: an attacker who knows it can choose keys that
 * collide, which a keyed hash prevents.
 *
 * @param <T> the type of key
 * @see <a href="https://doi.org/10.1016/j.jalgor.2003.12.001">Cormode, Muthukrishnan 2005, An
 *     improved data stream summary: the count-min sketch and its applications</a>
 */
public final class CountMinSketch<T> implements Mergeable<CountMinSketch<T>>, Storable {

  private static final int PLAIN = 1;
  private static final int CONSERVATIVE = 2;

  private static final int UPDATE_AT = 26; // in the header of the frame, of kind 8
  private static final int DEPTH_AT = 28;
  private static final int WIDTH_AT = 32;
  private static final int TOTAL_AT = 48;
  private static final int ZEROS_AT = 56;

  private final BoundHasher<T> hashing;
  private final CounterTable table;
  private final boolean conservative;
  private final CounterRows rows;
  private long total;

  CountMinSketch(BoundHasher<T> hashing, CounterTable table, boolean conservative) {
    this(hashing, table, conservative, table.allocate(), 0);
  }

  /** Puts together what was read or copied. */
  CountMinSketch(
      BoundHasher<T> hashing,
      CounterTable table,
      boolean conservative,
      CounterRows rows,
      long total) {
    this.hashing = hashing;
    this.table = table;
    this.conservative = conservative;
    this.rows = rows;
    this.total = total;
  }

  /**
   * Returns an empty sketch with plain update and seed 0.
   *
   * @param hasher selects the bytes of a key
   * @param epsilon ε, the most by which a count is too high, as a share of all puts; in (0, 1)
   * @param delta δ, the probability of a larger error; in (0, 1)
   * @throws IllegalArgumentException if no sketch satisfies these constraints
   */
  public static <T> CountMinSketch<T> create(
      KeyHasher<? super T> hasher, double epsilon, double delta) {
    return CountMinSketch.<T>builder(hasher).epsilon(epsilon).delta(delta).build();
  }

  /** Starts a sketch whose keys are hashed by {@code hasher}. */
  public static <T> CountMinSketchBuilder<T> builder(KeyHasher<? super T> hasher) {
    return new CountMinSketchBuilder<>(requireNonNull(hasher, "hasher"));
  }

  /**
   * Reads a sketch that {@link #writeTo} wrote; reads nothing past its end.
   *
   * @param in the bytes, untrusted
   * @param hasher must hash as the one that filled the sketch, which the bytes cannot tell
   * @param maxBytes the most memory the counters may take, in bytes
   * @throws dev.tamis.format.FormatException if the bytes are not such a sketch, are damaged, or
   *     claim more memory
   * @throws IOException if {@code in} fails
   */
  public static <T> CountMinSketch<T> readFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes) throws IOException {
    FrameReader reader = FrameReader.of(Kind.COUNT_MIN, in, maxBytes);
    BoundHasher<T> hashing = reader.boundHasher(hasher);
    boolean conservative = isConservative(reader);
    CounterTable table = table(reader);
    long total = reader.i64(TOTAL_AT);
    if (total < 0) {
      throw reader.invalid(
          TOTAL_AT, "total", "at most " + Long.MAX_VALUE, Long.toUnsignedString(total));
    }
    reader.expectNoMoreParameters(ZEROS_AT);
    reader.expect(Frame.PAYLOAD_BYTES_AT, "payload length", table.bytes(), reader.payloadBytes());
    CounterRows rows = reader.allocate(table::allocate);
    reader.words(rows.counters().segments(), Words.FIRST);
    expectNoNegatives(reader, rows.counters());
    expectSums(reader, rows, total, conservative);
    reader.finish();
    return new CountMinSketch<>(hashing, table, conservative, rows, total);
  }

  private static boolean isConservative(FrameReader reader) throws IOException {
    int update = reader.u16(UPDATE_AT);
    if (update != PLAIN && update != CONSERVATIVE) {
      throw reader.invalid(UPDATE_AT, "update", "1 or 2", update);
    }
    return update == CONSERVATIVE;
  }

  private static CounterTable table(FrameReader reader) throws IOException {
    long depth = reader.u32(DEPTH_AT);
    int rows = reader.parameter(DEPTH_AT, "depth", () -> CounterTable.requireDepth(depth));
    long width = reader.i64(WIDTH_AT);
    return reader.parameter(
        WIDTH_AT, "width", () -> new CounterTable(rows, CounterTable.requireWidth(rows, width)));
  }

  private static void expectNoNegatives(FrameReader reader, Words counters) throws IOException {
    for (long i = 0; i < counters.count(); i++) {
      if (counters.get(i) < 0) {
        throw reader.invalid(
            Frame.HEADER_BYTES + i * Long.BYTES,
            "counter",
            "at most " + Long.MAX_VALUE,
            Long.toUnsignedString(counters.get(i)));
      }
    }
  }

  private static void expectSums(
      FrameReader reader, CounterRows rows, long total, boolean conservative) throws IOException {
    long sum = 0;
    for (int row = 0; row < rows.depth(); row++) {
      long ofRow = rows.sumOfRow(row);
      if (ofRow > total || (!conservative && ofRow < total)) {
        throw reader.invalid(
            Frame.HEADER_BYTES + row * rows.width() * Long.BYTES,
            "sum of row " + row,
            (conservative ? "at most " : "") + total + ", the total",
            ofRow);
      }
      sum = CounterRows.saturatingSum(sum, ofRow);
    }
    if (sum < total) {
      throw reader.invalid(TOTAL_AT, "total", "at most " + sum + ", the sum of all rows", total);
    }
  }

  /** Puts {@code key} once and returns its count, as {@link #approximateCount} does. */
  public long put(T key) {
    return putHash(hashOf(key), 1);
  }

  /** Puts {@code key} {@code times} times, at least 1, and returns its count. */
  public long put(T key, long times) {
    return putHash(hashOf(key), times);
  }

  /** Puts the key with this hash once. */
  public long putHash(long hash) {
    return putHash(hash, 1);
  }

  /**
   * Puts the key with this hash, as {@link #put(Object, long)} does.
   *
   * @param hash 64 well mixed bits, as {@link #hashOf} returns
   */
  public long putHash(long hash, long times) {
    total = CounterRows.saturatingSum(total, Checks.atLeast("times", times, 1));
    return conservative ? rows.addConservatively(hash, times) : rows.add(hash, times);
  }

  /**
   * Returns how often {@code key} was put, or {@link Long#MAX_VALUE} for that or more: never too
   * low, and too high by more than {@link #maxOvercount} with probability {@link #delta} at most.
   */
  public long approximateCount(T key) {
    return approximateCountHash(hashOf(key));
  }

  /** Returns the count of the key with this hash. */
  public long approximateCountHash(long hash) {
    return rows.count(hash);
  }

  /** Returns the 64-bit hash of {@code key}, the same for the same hasher and {@link #hashId}. */
  public long hashOf(T key) {
    return hashing.hash(key);
  }

  /** Returns N, the puts of all keys together, or {@link Long#MAX_VALUE} for that or more. */
  public long totalCount() {
    return total;
  }

  /** Returns ε·N, by how much a count is too high at most, but for a share δ of the keys. */
  public double maxOvercount() {
    return epsilon() * total;
  }

  /** Returns ε = e / {@link #width}, at most the requested one. */
  public double epsilon() {
    return table.epsilon();
  }

  /** Returns δ = e^−{@link #depth}, at most the requested one. */
  public double delta() {
    return table.delta();
  }

  /** Returns the counters of a row. */
  public long width() {
    return table.width();
  }

  /** Returns the rows, which is how many counters a key has. */
  public int depth() {
    return table.depth();
  }

  /** Returns whether a put raises only the counters that a key's count needs. */
  public boolean isConservative() {
    return conservative;
  }

  /** Returns the hash function. */
  public HashId hashId() {
    return hashing.id();
  }

  /** Returns the memory of the counters, in bytes. */
  public long sizeInBytes() {
    return table.bytes();
  }

  /**
   * Merges {@code other} into this sketch: afterwards it is as if all puts had been made here, also
   * where a counter has saturated. Costs one pass over the counters.
   *
   * @throws IllegalArgumentException if they are not {@linkplain #isCompatible compatible}; nothing
   *     has changed then
   */
  @Override
  public void putAll(CountMinSketch<T> other) {
    requireCompatible(other);
    rows.addAll(other.rows);
    total = CounterRows.saturatingSum(total, other.total);
  }

  /**
   * Returns the first difference that prevents a merge, which needs the same width, depth and hash,
   * and plain update: what a conservative put adds to a counter depends on all puts before, so the
   * sum of two counters is not what both streams would have made.
   */
  @Override
  public Optional<String> incompatibility(CountMinSketch<T> other) {
    if (conservative || other.conservative) {
      return Optional.of(
          "update is " + update() + " and " + other.update() + ", only plain counters are sums");
    }
    return traits().difference(other.traits());
  }

  private String update() {
    return conservative ? "conservative" : "plain";
  }

  /** Returns an independent copy. */
  @Override
  public CountMinSketch<T> copy() {
    return new CountMinSketch<>(hashing, table, conservative, rows.copy(), total);
  }

  /** Removes all keys. */
  @Override
  public void clear() {
    rows.clear();
    total = 0;
  }

  @Override
  public Kind kind() {
    return Kind.COUNT_MIN;
  }

  @Override
  public long serializedSize() {
    return Frame.bytes(table.bytes());
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    FrameWriter writer = new FrameWriter(out, Kind.COUNT_MIN, sizeInBytes());
    writer.hash(hashId());
    ByteBuffer header = writer.header();
    header.putShort(UPDATE_AT, (short) (conservative ? CONSERVATIVE : PLAIN));
    header.putInt(DEPTH_AT, depth());
    header.putLong(WIDTH_AT, width());
    header.putLong(TOTAL_AT, total);
    writer.words(rows.counters().segments(), Words.FIRST);
    writer.finish();
  }

  /** Returns whether {@code object} is a sketch of the same shape, hash and counters. */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof CountMinSketch<?> other
        && traits().equals(other.traits())
        && rows.counters().equals(other.rows.counters());
  }

  @Override
  public int hashCode() {
    return 31 * table.hashCode() + rows.counters().hashCode();
  }

  @Override
  public Traits traits() {
    return Traits.of("CountMinSketch")
        .matching("width", width())
        .matching("depth", depth())
        .with("update", update())
        .with("total count", total)
        .matching("hash", hashId());
  }

  @Override
  public String toString() {
    return traits().toString();
  }
}
