package dev.tamis.crawler.queue;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.tamis.Thorough;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.StringDataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that somebody else has made, or that is damaged, runs no code and ends in one error. */
class QueueStoreTest {

  private static final int DAMAGES = Thorough.or(150, 1_500);
  private static final int URLS = 400;

  /** Generous: against what never ends. */
  private static final Duration BUDGET = Duration.ofMinutes(4);

  private static final List<String> MAPS =
      List.of("marks", "drops", "seen", "leased", "claimed", "pending", "hosts", "slots");

  private static final AtomicInteger CANARIES = new AtomicInteger();

  @TempDir private Path home;

  @Test
  void everyMapHasTypesOfItsOwn() throws IOException {
    Path directory = queue(5);
    Parameters parameters = Parameters.load(DirectoryLayout.parameters(directory));
    QueueStore store = QueueStore.view(directory);
    QueueContents unused =
        QueueContents.read(
            directory,
            store,
            new QueueContents.Settings(
                parameters,
                KeyHasher.text().keyedBy(QueueKey.read(directory, parameters.hashKey())),
                null,
                System::nanoTime,
                bytes -> {}));
    MVMap<String, String> meta = store.store().getMetaMap();
    assertThat(store.store().getMapNames()).containsExactlyInAnyOrderElementsOf(MAPS);
    for (String name : MAPS) {
      MVMap<?, ?> map = store.store().getMap(DataUtils.parseHexInt(meta.get("name." + name)));
      assertThat(map.getKeyType()).as(name).isInstanceOf(StoredType.class);
      assertThat(map.getValueType()).as(name).isInstanceOf(StoredType.class);
    }
    assertThat(meta.getKeyType()).isInstanceOf(StringDataType.class);
    assertThat(meta.getValueType()).isInstanceOf(StringDataType.class);
    assertThat(meta.values()).as("types in the file").noneMatch(map -> map.contains("type:"));
    store.abandon();
  }

  /** The exploit: values written by the default type of the library, which reads Java objects. */
  @ParameterizedTest
  @ValueSource(strings = {"", "rtree", "other"})
  void objectsInTheStoreAreNotRead(String type) throws IOException {
    for (String name : MAPS) {
      Path copy = Queues.copy(queue(1), home.resolve(name + type));
      Files.delete(copy.resolve("urls.mv"));
      try (MVStore store =
          new MVStore.Builder().fileName(copy.resolve("urls.mv").toString()).open()) {
        MVMap<Object, Object> map = store.openMap(name);
        map.put(new Canary(), new Canary());
        if (!type.isEmpty()) {
          store
              .getMetaMap()
              .put("map." + Integer.toHexString(map.getId()), "name:" + name + ",type:" + type);
        }
      }
      CANARIES.set(0);
      assertThatThrownBy(() -> VisitQueue.open(copy))
          .as(name)
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining("urls.mv");
      assertThat(CANARIES).as(name).hasValue(0);
      try (MVStore store =
          new MVStore.Builder().fileName(copy.resolve("urls.mv").toString()).readOnly().open()) {
        // the attack itself works: with the library's own type the object is read
        if (type.isEmpty()) {
          assertThat(store.openMap(name).firstKey()).isInstanceOf(Canary.class);
          assertThat(CANARIES.get()).isPositive();
        }
      }
    }
  }

  @Test
  void anyDamageEndsInTheDocumentedErrorOrDoesNoHarm() throws IOException {
    Path directory = queue(URLS);
    byte[] whole = Files.readAllBytes(directory.resolve("urls.mv"));
    List<String> refusals = new ArrayList<>();
    assertTimeoutPreemptively(
        BUDGET,
        () -> {
          SplittableRandom random = new SplittableRandom(1);
          for (int i = 0; i < DAMAGES; i++) {
            byte[] changed = whole.clone();
            int at = random.nextInt(changed.length);
            if (i % 4 == 0) { // a length, a count or a position
              ByteBuffer.wrap(changed).putInt(Math.min(at, changed.length - 4), random.nextInt());
            } else {
              changed[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
            }
            use(directory, changed, "byte " + at, refusals);
          }
          for (int length = 0; length < whole.length; length += Thorough.or(9_970, 997)) {
            use(directory, Arrays.copyOf(whole, length), "cut at " + length, refusals);
          }
        });
    assertThat(refusals)
        .isNotEmpty()
        .allMatch(message -> message.contains("urls.mv") || message.contains("write-ahead log"));
  }

  /** Text of the library's own maps, whose checksums are public, so a writer can correct them. */
  @Test
  void craftedTextsAndPagesEndInTheDocumentedError() throws IOException {
    Path directory = queue(URLS);
    byte[] whole = Files.readAllBytes(directory.resolve("urls.mv"));
    String text = new String(whole, ISO_8859_1);
    List<String> refusals = new ArrayList<>();
    assertTimeoutPreemptively(
        BUDGET,
        () -> {
          SplittableRandom random = new SplittableRandom(2);
          for (String field :
              List.of("len:", "pages:", "toc:", "root:", "map:", "block:", "max:")) {
            for (int at = text.indexOf(field); at >= 0; at = text.indexOf(field, at + 1)) {
              for (String digit : List.of("7", "8", "f", "0", "-", "z")) {
                if (random.nextInt(Thorough.or(10, 1)) > 0) {
                  continue;
                }
                byte[] changed = whole.clone();
                for (int i = at + field.length();
                    text.charAt(i) != ',' && text.charAt(i) != ' ' && text.charAt(i) >= ' ';
                    i++) {
                  changed[i] = digit.getBytes(US_ASCII)[0];
                }
                use(directory, withHeaderChecksums(changed), field + digit + " at " + at, refusals);
              }
            }
          }
        });
    assertThat(refusals).isNotEmpty();
  }

  private static byte[] withHeaderChecksums(byte[] file) {
    for (int block = 0; block < 2; block++) {
      String header = new String(file, block * 4096, 4096, ISO_8859_1);
      int end = header.lastIndexOf(",fletcher:");
      if (end > 0) {
        String sum = Integer.toHexString(DataUtils.getFletcher32(file, block * 4096, end));
        byte[] bytes = ("00000000" + sum).substring(sum.length()).getBytes(US_ASCII);
        System.arraycopy(bytes, 0, file, block * 4096 + end + ",fletcher:".length(), bytes.length);
      }
    }
    return file;
  }

  @ParameterizedTest
  @ValueSource(strings = {"layout", "meta", "pending", "seen"})
  void pagesThatContainThemselvesAreRefused(String map) throws IOException {
    Path directory = queue(3_000);
    CyclicPages.make(directory.resolve("urls.mv"), map);
    assertTimeoutPreemptively(
        BUDGET,
        () ->
            assertThatThrownBy(() -> VisitQueue.open(directory))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("urls.mv"));
  }

  @Test
  void aStoreThatCouldNotBeOpenedIsReleased() throws IOException {
    Path directory = queue(3);
    byte[] whole = Files.readAllBytes(directory.resolve("urls.mv"));
    Files.write(directory.resolve("urls.mv"), new byte[10_000]);
    assertThatThrownBy(() -> VisitQueue.open(directory)).isInstanceOf(FileSystemException.class);
    Files.write(directory.resolve("urls.mv"), whole);
    try (VisitQueue queue = VisitQueue.open(directory)) {
      assertThat(Queues.drain(queue)).hasSize(3);
    }
  }

  /** Opens a copy with this store, and delivers, adds and closes. */
  private void use(Path directory, byte[] store, String damage, List<String> refusals)
      throws IOException {
    Path copy = home.resolve("damaged");
    if (Files.exists(copy)) {
      for (Path file : Queues.files(copy, "")) {
        Files.delete(file);
      }
    }
    Queues.copy(directory, copy);
    Files.write(copy.resolve("urls.mv"), store);
    try (QueueView view = VisitQueue.view(copy)) {
      assertThat(view.stats().accepted()).as(damage).isNotNegative();
    } catch (IOException e) {
      refusals.add(String.valueOf(e.getMessage()));
    }
    try (VisitQueue queue = VisitQueue.open(copy)) {
      queue.push("http://new/" + store.length);
      Queues.drain(queue);
    } catch (IOException | UncheckedIOException e) {
      refusals.add(String.valueOf(e.getMessage()));
    } catch (RuntimeException | Error e) {
      fail(damage, e);
    }
  }

  private Path queue(int urls) throws IOException {
    Path directory = home.resolve("queue-" + urls);
    if (!Files.exists(directory)) {
      try (VisitQueue queue =
          VisitQueue.builder()
              .expectedKeys(1_000)
              .fpp(0.1)
              .perHostDelay(Duration.ZERO)
              .exactConfirmation()
              .open(directory)) {
        for (int i = 0; i < urls; i++) {
          queue.push("http://h" + i % 7 + "/" + i);
        }
      }
    }
    return directory;
  }

  /** Says when it is read. */
  private static final class Canary implements Serializable, Comparable<Canary> {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      CANARIES.incrementAndGet();
    }

    @Override
    public int compareTo(Canary other) {
      return 0;
    }
  }
}
