package dev.tamis.filter;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.HashedFilter;
import dev.tamis.Thorough;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Filters and hashers go through Java's serialization as their own bytes and names. */
class SerializationTest {

  /** The JDK allocates arrays as long as a stream says. */
  private static final ObjectInputFilter NO_ARRAYS =
      ObjectInputFilter.Config.createFilter("maxarray=1000");

  private static final List<Long> KEYS = LongStream.range(0, 500).boxed().toList();

  static Stream<HashedFilter<Long>> filters() {
    KeyHasher<Long> longs = KeyHasher.longs();
    List<HashedFilter<Long>> filters =
        List.of(
            filled(BloomFilter.create(longs, 1_000, 0.01)),
            filled(CountingBloomFilter.create(longs, 1_000, 0.01)),
            filled(ScalableBloomFilter.create(longs, 100, 0.01)),
            filled(CuckooFilter.create(longs, 1_000, 0.01)),
            filled(WindowedBloomFilter.<Long>builder(longs).window(1_000).fpp(0.01).build()),
            filled(
                WindowedBloomFilter.<Long>builder(longs)
                    .window(Duration.ofDays(1))
                    .expectedKeys(1_000)
                    .clock(java.time.InstantSource.system())
                    .fpp(0.01)
                    .build()),
            FuseFilter.<Long>builder(longs).fpp(0.01).putAll(KEYS).build(),
            RibbonFilter.<Long>builder(longs).fpp(0.01).putAll(KEYS).build());
    return filters.stream();
  }

  private static <F extends dev.tamis.HashedMutableFilter<Long>> F filled(F filter) {
    KEYS.forEach(filter::put);
    return filter;
  }

  @ParameterizedTest
  @MethodSource("filters")
  void aFilterComesBackWithItsHasher(HashedFilter<Long> filter) throws Exception {
    HashedFilter<Long> read = through(filter);
    assertThat(read).isEqualTo(filter).isNotSameAs(filter).hasSameClassAs(filter);
    assertThat(KEYS).allMatch(read::mightContain);
    assertThat(read.hasher().keyHasher()).isSameAs(KeyHasher.longs());
  }

  @Test
  void readyMadeHashersComeBackAsTheyWere() throws Exception {
    for (KeyHasher<?> hasher :
        List.<KeyHasher<?>>of(
            KeyHasher.text(),
            KeyHasher.bytes(),
            KeyHasher.buffers(),
            KeyHasher.longs(),
            KeyHasher.ints(),
            KeyHasher.uuids())) {
      assertThat((Object) through(hasher)).isSameAs(hasher);
    }
    BloomFilter<List<String>> filter = BloomFilter.create(fields(), 100, 1e-6);
    filter.put(List.of("a", "b"));
    BloomFilter<List<String>> read = through(filter);
    assertThat(read).isEqualTo(filter);
    assertThat(read.mightContain(List.of("a", "b"))).isTrue();
    assertThat(read.mightContain(List.of("a"))).isFalse();
  }

  private static KeyHasher<List<String>> fields() {
    return KeyHasher.fields(
        KeyHasher.text().on((Function<List<String>, String> & Serializable) list -> list.get(0)),
        (list, function) -> function.hashInt(list.size()));
  }

  @Test
  void standardHashersTakeTheKeysTheyTookBefore() {
    UUID uuid = new UUID(1, 2);
    assertThat(BloomFilter.create(KeyHasher.uuids(), 10, 0.1).put(uuid)).isTrue();
    assertThat(BloomFilter.create(KeyHasher.buffers(), 10, 0.1).put(ByteBuffer.allocate(3)))
        .isTrue();
  }

  @Test
  void aSecretKeyIsNotWritten() {
    KeyHasher<Long> keyed = KeyHasher.longs().keyedBy(HashKey.of(new byte[HashKey.BYTES]));
    assertThatThrownBy(() -> through(BloomFilter.create(keyed, 10, 0.1)))
        .isInstanceOf(NotSerializableException.class)
        .hasMessageContaining("HashKey");
  }

  @Test
  void whatAHasherRefersToMustBeSerializableToo() {
    Object notSerializable = new Object();
    KeyHasher<Long> hasher =
        (key, function) -> function.hashLong(key + notSerializable.getClass().hashCode());
    refuses(NotSerializableException.class, () -> through(BloomFilter.create(hasher, 10, 0.1)));
  }

  static Stream<Object> serializable() {
    KeyHasher<List<String>> fields = fields();
    BloomFilter<List<String>> ofFields = BloomFilter.create(fields, 10, 0.1);
    return Stream.concat(
        filters(), Stream.of(ofFields, fields, KeyHasher.text(), LineRanges.of(100_000, 7)));
  }

  /** What goes wrong before our first byte is the JDK's; all else must be an IOException. */
  @ParameterizedTest
  @MethodSource("serializable")
  void damagedBytesAreRefusedOrHarmless(Object value) throws Exception {
    byte[] bytes = written(value);
    SplittableRandom random = new SplittableRandom(bytes.length);
    for (int i = 0; i < Thorough.or(3_000, 60_000); i++) {
      byte[] damaged = bytes.clone();
      for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
        damaged[random.nextInt(random.nextInt(1, bytes.length) + 1)] = (byte) random.nextInt();
      }
      try {
        Object read =
            read(i % 10 == 0 ? Arrays.copyOf(bytes, i % bytes.length) : damaged, NO_ARRAYS);
        if (read instanceof KeyHasher<?>) {
          assertThat(read.toString()).doesNotContain("null");
        }
      } catch (IOException | ClassNotFoundException expected) {
        // refused
      } catch (RuntimeException e) {
        assertThat(Arrays.stream(e.getStackTrace()).map(StackTraceElement::getClassName))
            .as("%s", e)
            .noneMatch(
                name -> name.startsWith("dev.tamis.") && !name.contains("SerializationTest"));
      }
    }
  }

  @Test
  void theLimitIsTheUsers() throws Exception {
    byte[] bytes = written(BloomFilter.create(KeyHasher.longs(), 100_000, 0.01));
    System.setProperty("dev.tamis.maxDeserializedBytes", "100000");
    try {
      refuses(IOException.class, () -> read(bytes, null), "100000");
    } finally {
      System.clearProperty("dev.tamis.maxDeserializedBytes");
    }
    assertThat(read(bytes, null)).isInstanceOf(BloomFilter.class);
  }

  @Test
  void aFilterOfClassesNeedsTheDocumentedOnesOnly() throws Exception {
    byte[] bytes = written(filled(BloomFilter.create(KeyHasher.longs(), 1_000, 0.01)));
    ObjectInputFilter documented =
        ObjectInputFilter.Config.createFilter(
            "dev.tamis.filter.*;dev.tamis.hash.*;java.lang.Enum;!*");
    assertThat(read(bytes, documented)).isInstanceOf(BloomFilter.class);
    assertThatThrownBy(() -> read(bytes, ObjectInputFilter.Config.createFilter("!*")))
        .isInstanceOf(InvalidClassException.class);
  }

  @SuppressWarnings("unchecked") // what comes back is what was written
  private static <V> V through(V value) throws IOException, ClassNotFoundException {
    return (V) read(written(value), null);
  }

  private static byte[] written(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  @SuppressWarnings("BanSerializableRead") // that is what is tested
  private static Object read(byte[] bytes, ObjectInputFilter filter)
      throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      if (filter != null) {
        in.setObjectInputFilter(filter);
      }
      return in.readObject();
    }
  }
}
