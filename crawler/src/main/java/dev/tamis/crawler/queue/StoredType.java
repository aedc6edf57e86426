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
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;

/** How the store orders a type, writes it and reads it: with a checksum, as the store has none. */
final class StoredType<T> extends BasicDataType<T> {

  private static final int OBJECT_BYTES = 48;

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
          WriteBuffer::putLong,
          ByteBuffer::getLong,
          Long[]::new);

  static final StoredType<HostTurns.Place> PLACE =
      new StoredType<>(
          Comparator.comparing(HostTurns.Place::host).thenComparingLong(HostTurns.Place::sequence),
          place -> OBJECT_BYTES + 2 * place.host().length(),
          (out, place) -> {
            putText(out, place.host());
            out.putVarLong(place.sequence());
          },
          in -> new HostTurns.Place(text(in), DataUtils.readVarLong(in)),
          HostTurns.Place[]::new);

  static final StoredType<HostTurns.Turn> TURN =
      new StoredType<>(
          Comparator.comparingLong(HostTurns.Turn::dueNanos)
              .thenComparingLong(HostTurns.Turn::order),
          turn -> OBJECT_BYTES,
          (out, turn) -> out.putLong(turn.dueNanos()).putLong(turn.order()),
          in -> new HostTurns.Turn(in.getLong(), in.getLong()),
          HostTurns.Turn[]::new);

  static final StoredType<HostTurns.Host> HOST =
      new StoredType<>(
          Comparator.comparingLong(HostTurns.Host::accepted), // never asked: it is no key
          host -> OBJECT_BYTES,
          (out, host) ->
              out.putVarLong(host.accepted())
                  .putVarLong(host.waiting())
                  .putLong(host.dueNanos())
                  .putLong(host.order())
                  .put((byte) (host.busy() ? 1 : 0)),
          in ->
              new HostTurns.Host(
                  DataUtils.readVarLong(in),
                  DataUtils.readVarLong(in),
                  in.getLong(),
                  in.getLong(),
                  in.get() != 0),
          HostTurns.Host[]::new);

  static final StoredType<Entry> ENTRY =
      new StoredType<>(
          Comparator.comparingLong(Entry::sequence),
          entry -> 2 * OBJECT_BYTES + entry.url().length(),
          (out, entry) -> {
            out.putVarLong(entry.sequence());
            putText(out, entry.host());
            putText(out, entry.url());
            out.putVarInt(entry.failures());
          },
          in -> new Entry(DataUtils.readVarLong(in), text(in), text(in), DataUtils.readVarInt(in)),
          Entry[]::new);

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

  private static void putText(WriteBuffer out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.putVarInt(bytes.length).put(bytes);
  }

  private static String text(ByteBuffer in) {
    int length = DataUtils.readVarInt(in);
    if (length > in.remaining()) {
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
    out.putInt(checksum(out.getBuffer(), start, out.position()));
  }

  @Override
  public T read(ByteBuffer in) {
    int start = in.position();
    T value;
    try {
      value = reader.apply(in);
    } catch (BufferUnderflowException | NegativeArraySizeException e) {
      throw DataUtils.newMVStoreException(
          DataUtils.ERROR_FILE_CORRUPT, "bytes are missing at {0}", start);
    }
    int found = checksum(in, start, in.position());
    if (found != in.getInt()) {
      throw DataUtils.newMVStoreException(
          DataUtils.ERROR_FILE_CORRUPT, "what is at {0} does not match its checksum", start);
    }
    return value;
  }

  private static int checksum(ByteBuffer bytes, int start, int end) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().limit(end).position(start));
    return (int) crc.getValue();
  }

  @Override
  public T[] createStorage(int size) {
    return storage.apply(size);
  }
}
