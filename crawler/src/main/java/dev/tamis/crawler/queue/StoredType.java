package dev.tamis.crawler.queue;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.zip.CRC32C;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;

/**
 * Orders, encodes and decodes the values of one type in the store, whose pages have no checksums.
 *
 * <p>A value is its fields and the CRC32C of their bytes. Fixed-width numbers are little-endian;
 * the others are the store's variable-length integers. A text is its length in bytes and its UTF-8.
 *
 * <pre>
 * present     nothing
 * number      u64
 * text        text
 * real        f64
 * position    text host, varint sequence
 * slot        u64 due time in ns, u64 order
 * host        varint accepted, varint pending, u64 due time in ns, u64 order, u8 busy
 * queued URL  varint sequence, text host, text URL, varint failures
 * </pre>
 */
final class StoredType<T> extends BasicDataType<T> {

  private static final int OBJECT_BYTES = 48;

  /** Far above the keys of any page: more than 48 are split. */
  private static final int MAX_PAGE_KEYS = 1 << 12;

  /** No fields: the value of a map that is a set. */
  static final StoredType<Boolean> PRESENT =
      new StoredType<>(
          Comparator.naturalOrder(),
          present -> OBJECT_BYTES,
          (out, present) -> {},
          in -> Boolean.TRUE,
          Boolean[]::new);

  static final StoredType<String> TEXT =
      new StoredType<>(
          Comparator.naturalOrder(),
          text -> OBJECT_BYTES + text.length(),
          StoredType::putText,
          StoredType::text,
          String[]::new);

  static final StoredType<Long> NUMBER =
      new StoredType<>(
          Comparator.naturalOrder(),
          number -> OBJECT_BYTES,
          StoredType::putLong,
          StoredType::getLong,
          Long[]::new);

  static final StoredType<Double> REAL =
      new StoredType<>(
          Comparator.naturalOrder(),
          number -> OBJECT_BYTES,
          (out, number) -> putLong(out, Double.doubleToRawLongBits(number)),
          in -> Double.longBitsToDouble(getLong(in)),
          Double[]::new);

  static final StoredType<HostSchedule.Position> POSITION =
      new StoredType<>(
          Comparator.comparing(HostSchedule.Position::host)
              .thenComparingLong(HostSchedule.Position::sequence),
          position -> OBJECT_BYTES + 2 * position.host().length(),
          (out, position) -> {
            putText(out, position.host());
            out.putVarLong(position.sequence());
          },
          in -> new HostSchedule.Position(text(in), DataUtils.readVarLong(in)),
          HostSchedule.Position[]::new);

  static final StoredType<HostSchedule.Slot> SLOT =
      new StoredType<>(
          Comparator.comparingLong(HostSchedule.Slot::dueNanos)
              .thenComparingLong(HostSchedule.Slot::order),
          slot -> OBJECT_BYTES,
          (out, slot) -> {
            putLong(out, slot.dueNanos());
            putLong(out, slot.order());
          },
          in -> new HostSchedule.Slot(getLong(in), getLong(in)),
          HostSchedule.Slot[]::new);

  static final StoredType<HostSchedule.Host> HOST =
      new StoredType<>(
          Comparator.comparingLong(HostSchedule.Host::accepted), // unused: never a key
          host -> OBJECT_BYTES,
          (out, host) -> {
            out.putVarLong(host.accepted()).putVarLong(host.pending());
            putLong(out, host.dueNanos());
            putLong(out, host.order());
            out.put((byte) (host.busy() ? 1 : 0));
          },
          in ->
              new HostSchedule.Host(
                  DataUtils.readVarLong(in),
                  DataUtils.readVarLong(in),
                  getLong(in),
                  getLong(in),
                  in.get() != 0),
          HostSchedule.Host[]::new);

  static final StoredType<QueuedUrl> QUEUED_URL =
      new StoredType<>(
          Comparator.comparingLong(QueuedUrl::sequence),
          url -> 2 * OBJECT_BYTES + url.url().length(),
          (out, url) -> {
            out.putVarLong(url.sequence());
            putText(out, url.host());
            putText(out, url.url());
            out.putVarInt(url.failures());
          },
          in ->
              new QueuedUrl(
                  DataUtils.readVarLong(in), text(in), text(in), DataUtils.readVarInt(in)),
          QueuedUrl[]::new);

  private final Comparator<T> order;
  private final ToIntFunction<T> memory;
  private final BiConsumer<WriteBuffer, T> writer;
  private final Function<ByteBuffer, T> reader;
  private final Function<Integer, T[]> storage;

  private StoredType(
      Comparator<T> order,
      ToIntFunction<T> memory,
      BiConsumer<WriteBuffer, T> writer,
      Function<ByteBuffer, T> reader,
      Function<Integer, T[]> storage) {
    this.order = order;
    this.memory = memory;
    this.writer = writer;
    this.reader = reader;
    this.storage = storage;
  }

  /** The store's buffers are big-endian. */
  private static void putLong(WriteBuffer out, long number) {
    out.putLong(Long.reverseBytes(number));
  }

  private static long getLong(ByteBuffer in) {
    return Long.reverseBytes(in.getLong());
  }

  private static void putText(WriteBuffer out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.putVarInt(bytes.length).put(bytes);
  }

  private static String text(ByteBuffer in) {
    int length = DataUtils.readVarInt(in);
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public int compare(T a, T b) {
    return order.compare(a, b);
  }

  @Override
  public int getMemory(T value) {
    return memory.applyAsInt(value);
  }

  @Override
  public void write(WriteBuffer out, T value) {
    int start = out.position();
    writer.accept(out, value);
    out.putInt(Integer.reverseBytes(checksum(out.getBuffer(), start, out.position())));
  }

  @Override
  public T read(ByteBuffer in) {
    int start = in.position();
    T value;
    try {
      value = reader.apply(in);
    } catch (BufferUnderflowException e) {
      throw truncated(start);
    }
    int found = checksum(in, start, in.position());
    if (in.remaining() < Integer.BYTES) {
      throw truncated(start);
    }
    if (found != Integer.reverseBytes(in.getInt())) {
      throw QueueStore.damage("value at byte " + start + " does not match its checksum");
    }
    return value;
  }

  private static MVStoreException truncated(int start) {
    return QueueStore.damage("value at byte " + start + " is truncated");
  }

  private static int checksum(ByteBuffer bytes, int start, int end) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().limit(end).position(start));
    return (int) crc.getValue();
  }

  @Override
  public T[] createStorage(int size) {
    if (size < 0 || size > MAX_PAGE_KEYS) { // as read, before anything is allocated
      throw QueueStore.damage("page has " + size + " keys, at most " + MAX_PAGE_KEYS);
    }
    return storage.apply(size);
  }
}
