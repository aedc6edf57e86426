package dev.tamis.cli.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.tamis.HashedMutableFilter;
import dev.tamis.Storable;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.lines.Line;
import dev.tamis.file.AtomicFile;
import dev.tamis.file.FilterFile;
import dev.tamis.file.WriteLock;
import dev.tamis.hash.KeyHasher;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run that can be resumed: a filter, the inputs that are finished, and the keys that
 * each of them has added since the filter was saved.
 */
final class CorpusJournal implements Closeable {

  /*
   * An input is finished when its outputs are in place, and then its entry is appended and forced to the
   * disk. A kill in between has it read again, from the same filter, and its outputs replaced by the
   * same bytes. An entry that was cut short is removed.
   *
   * Saving a filter of 100 GB after every input would cost more than the run, so an entry has the new
   * keys. When they weigh as much as the filter, the filter is saved under a new name, then a journal
   * without keys that refers to it replaces the old one, which takes both over at once.
   *
   * Entry: length of the rest, CRC32C of the rest; its bytes of input, the tally, the length of its
   * name, the name, the keys. The first entry has the settings for its name, and the number of the
   * filter for its bytes.
   */

  private static final String FOLDER = ".tamis-corpus";
  private static final int HEADER_BYTES = Integer.BYTES + Integer.BYTES;
  private static final int FIXED_BYTES = Long.BYTES + CorpusTally.BYTES + Integer.BYTES;

  /** Fewer keys need not be saved before the end of the run. */
  private static final int FEW_KEYS = 1 << 21;

  /** An entry is read into memory as a whole. */
  private static final int MAX_KEYS = 1 << 27;

  private final Path folder;
  private final Path file;
  private final WriteLock lock;
  private final Map<String, Finished> finished = new LinkedHashMap<>();
  private String settings = "";
  private @Nullable HashedMutableFilter<Line> filter;
  private long generation;
  private long unsavedKeys;
  private long[] keys = new long[1 << 10];
  private int keyCount;
  private boolean hasTooMany;

  private CorpusJournal(Path folder, WriteLock lock) {
    this.folder = folder;
    this.file = folder.resolve("journal");
    this.lock = lock;
  }

  private record Finished(long bytes, CorpusTally tally) {}

  static boolean existsIn(Path output) {
    return Files.exists(output.resolve(FOLDER));
  }

  /** Opens the state in an output folder, which is created if there is none. */
  static CorpusJournal open(Path output) throws IOException {
    Path folder = Files.createDirectories(output.resolve(FOLDER));
    WriteLock lock =
        WriteLock.tryTake(folder.resolve("journal"))
            .orElseThrow(
                () ->
                    new CommandException(
                        "%s: another run is writing there; wait for it to end", output));
    try {
      return new CorpusJournal(folder, lock);
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /** Returns the filter of earlier runs with the same settings, null if there were none. */
  @Nullable HashedMutableFilter<Line> load(String wanted, KeyHasher<Line> hasher)
      throws IOException {
    if (!Files.exists(file)) {
      return null;
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long end = 0;
      for (ByteBuffer entry = next(channel); entry != null; entry = next(channel)) {
        take(entry, hasher);
        end = channel.position();
      }
      channel.truncate(end);
    }
    if (!settings.equals(wanted)) {
      throw new CommandException(
          "%s: the run to resume had other options: %s; this one has: %s; give the same, or remove"
              + " the folder to begin anew",
          folder, settings, wanted);
    }
    return filter;
  }

  private @Nullable ByteBuffer next(FileChannel channel) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    if (!isRead(channel, header)) {
      return null;
    }
    int length = header.getInt(0);
    if (length < FIXED_BYTES || length > channel.size() - channel.position()) {
      return null;
    }
    ByteBuffer entry = ByteBuffer.allocate(length);
    return isRead(channel, entry) && checksum(entry.array()) == header.getInt(Integer.BYTES)
        ? entry.flip()
        : null;
  }

  private static boolean isRead(FileChannel channel, ByteBuffer target) throws IOException {
    int read = 0;
    while (target.hasRemaining() && read >= 0) {
      read = channel.read(target);
    }
    return read >= 0;
  }

  private static int checksum(byte[] bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes);
    return (int) checksum.getValue();
  }

  private void take(ByteBuffer entry, KeyHasher<Line> hasher) throws IOException {
    long bytes = entry.getLong();
    CorpusTally tally = CorpusTally.readFrom(entry);
    byte[] name = new byte[entry.getInt()];
    entry.get(name);
    if (settings.isEmpty()) {
      settings = new String(name, UTF_8);
      generation = bytes;
      filter = (HashedMutableFilter<Line>) FilterFile.<Line>load(filterFile(), hasher);
      return;
    }
    finished.put(new String(name, UTF_8), new Finished(bytes, tally));
    unsavedKeys += entry.remaining() / Long.BYTES;
    HashedMutableFilter<Line> target = requireNonNull(filter);
    while (entry.hasRemaining()) {
      boolean unused = target.putHash(entry.getLong());
    }
  }

  /** Begins with a new filter. */
  void begin(String settings, HashedMutableFilter<Line> filter) throws IOException {
    this.settings = settings;
    this.filter = filter;
    save();
  }

  private Path filterFile() {
    return folder.resolve("filter-" + generation + ".tamis");
  }

  private void save() throws IOException {
    Path before = filterFile();
    generation++;
    FilterFile.save(filterFile(), (Storable) requireNonNull(filter));
    try (AtomicFile replaced = AtomicFile.create(file)) {
      replaced.out().write(entry(settings, generation, new CorpusTally(), new long[0], 0));
      for (Map.Entry<String, Finished> each : finished.entrySet()) {
        Finished input = each.getValue();
        replaced.out().write(entry(each.getKey(), input.bytes, input.tally, new long[0], 0));
      }
      replaced.commit();
    }
    unsavedKeys = 0;
    Files.deleteIfExists(before);
  }

  /** Returns whether an input was finished; refuses one that has changed since. */
  boolean isFinished(CorpusFiles.CorpusFile input) {
    Finished found = finished.get(input.name().toString());
    if (found != null && found.bytes != input.bytes()) {
      throw new CommandException(
          "%s: has changed since it was finished: it had %d bytes and has %d; give it another name",
          input.path(), found.bytes, input.bytes());
    }
    return found != null;
  }

  /** Returns the counts of all finished inputs. */
  CorpusTally tally() {
    CorpusTally all = new CorpusTally();
    finished.values().forEach(each -> all.add(each.tally));
    return all;
  }

  /** Takes keys that the present input has added to the filter. */
  void added(long[] added, int count) {
    if (keyCount + (long) count > mostKeys()) {
      hasTooMany = true; // so the filter is saved instead
      return;
    }
    if (keys.length - keyCount < count) {
      keys = Arrays.copyOf(keys, 2 * (keyCount + count));
    }
    System.arraycopy(added, 0, keys, keyCount, count);
    keyCount += count;
  }

  private long mostKeys() {
    long weight = requireNonNull(filter).bitSize() / Long.SIZE;
    return Math.min(MAX_KEYS, Math.max(weight, FEW_KEYS));
  }

  /** Records that the present input is finished and its outputs are in place. */
  void finish(CorpusFiles.CorpusFile input, CorpusTally tally) throws IOException {
    String name = input.name().toString();
    finished.put(name, new Finished(input.bytes(), tally));
    if (hasTooMany || unsavedKeys + keyCount > mostKeys()) {
      save();
    } else {
      byte[] entry = entry(name, input.bytes(), tally, keys, keyCount);
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.APPEND)) {
        ByteBuffer bytes = ByteBuffer.wrap(entry);
        while (bytes.hasRemaining()) {
          int unused = channel.write(bytes);
        }
        channel.force(true);
      }
      unsavedKeys += keyCount;
    }
    keyCount = 0;
    hasTooMany = false;
  }

  private static byte[] entry(
      String name, long inputBytes, CorpusTally tally, long[] keys, int keyCount) {
    byte[] encoded = name.getBytes(UTF_8);
    ByteBuffer rest = ByteBuffer.allocate(FIXED_BYTES + encoded.length + keyCount * Long.BYTES);
    rest.putLong(inputBytes);
    tally.writeTo(rest);
    rest.putInt(encoded.length).put(encoded);
    rest.asLongBuffer().put(keys, 0, keyCount);
    return ByteBuffer.allocate(HEADER_BYTES + rest.capacity())
        .putInt(rest.capacity())
        .putInt(checksum(rest.array()))
        .put(rest.array())
        .array();
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
