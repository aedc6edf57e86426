package dev.tamis.blocklist;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.blocklist.Blocklist.Verdict;
import dev.tamis.format.FormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlocklistFileTest {

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void readsWhatItSaved(boolean exact) throws IOException {
    Blocklist saved = sample(exact);
    saved.save(path());
    Blocklist read = Blocklist.load(path());
    assertThat(read).hasToString(saved.toString());
    assertThat(read.expectedFpp()).isEqualTo(saved.expectedFpp());
    assertThat(read.ignoresTags()).isTrue();
    for (String question : questions()) {
      assertThat(read.explain(question)).isEqualTo(saved.explain(question));
    }
    Path again = directory.resolve("again");
    read.save(again);
    assertThat(again).hasSameBinaryContentAs(path());
  }

  @Test
  void theSameEntriesGiveTheSameBytes() throws IOException {
    sample(true).save(path());
    byte[] first = Files.readAllBytes(path());
    sample(true).save(path());
    assertThat(Files.readAllBytes(path())).isEqualTo(first);
  }

  @Test
  void theFileOfTheFirstVersionIsStillReadAndWritten() throws IOException {
    Path golden = directory.resolve("golden");
    try (InputStream in = getClass().getResourceAsStream("/golden/v1-blocklist.block")) {
      Files.write(golden, in.readAllBytes());
    }
    assertThat(Blocklist.load(golden).check("a@x.bad3.example")).isEqualTo(Verdict.BLOCKED);
    sample(true).save(path());
    assertThat(path()).hasSameBinaryContentAs(golden);
  }

  @Test
  void theFirstBytesAreThoseOfTheSpecification() throws IOException {
    Blocklist.builder().fpp(0.5).allow("a@b.example").build().blocklist().save(path());
    byte[] bytes = Files.readAllBytes(path());
    // written by hand from docs/format.md: header, one allow entry, checksum
    assertThat(HexFormat.of().formatHex(bytes, 0, 60))
        .isEqualTo(
            "8954424c4b530d0a" // magic
                + "0100" // version
                + "0000" // flags
                + "00000000" // lists
                + "5200000000000000" // 64 + 3 + 11 + 4 bytes
                + "000000000000e03f" // fpp
                + "01000000" // allow entries
                + "01000000" // hash, zeros
                + "0000000000000000" // seed
                + "00".repeat(12));
    assertThat(HexFormat.of().formatHex(bytes, 64, 78))
        .isEqualTo("0b000161" + "40622e6578616d706c65");
    assertThat(bytes).hasSize(0x52);
  }

  @Test
  void refusesEveryTruncation() throws IOException {
    byte[] bytes = bytes();
    for (int length = 0; length < bytes.length; length++) {
      assertRefused(Arrays.copyOf(bytes, length));
    }
    assertRefused(Arrays.copyOf(bytes, bytes.length - 1));
    assertRefused(Arrays.copyOf(bytes, bytes.length + 1));
  }

  @Test
  void refusesAFlippedBitInEveryByte() throws IOException {
    byte[] bytes = bytes();
    for (int i = 0; i < bytes.length; i++) {
      for (int bit = i % 8; bit < 8; bit += i < 64 ? 1 : 8) {
        bytes[i] ^= (byte) (1 << bit);
        assertRefused(bytes);
        bytes[i] ^= (byte) (1 << bit);
      }
    }
  }

  @Test
  void refusesFieldsThatAreWrongBehindRightChecksums() throws IOException {
    refused(header -> header.putShort(8, (short) 2), "version");
    refused(header -> header.putShort(10, (short) 7), "flags");
    refused(header -> header.putInt(12, 257), "lists");
    refused(header -> header.putInt(12, -1), "lists");
    refused(header -> header.putInt(12, 1), "end of the lists");
    refused(header -> header.putInt(12, 3), "list at byte");
    refused(header -> header.putLong(16, Long.MAX_VALUE), "length of the file");
    refused(header -> header.putDouble(24, Double.NaN), "fpp");
    refused(header -> header.putDouble(24, 1), "fpp");
    refused(header -> header.putInt(32, -1), "allow entries");
    refused(header -> header.putInt(32, Integer.MAX_VALUE), "allow entries");
    refused(header -> header.putInt(32, 1), "");
    refused(header -> header.put(59, (byte) 1), "reserved");
    refused(file -> file.putShort(64, (short) -1), "allow entry");
    refused(file -> file.put(66, (byte) 3), "kind of allow entry");
    refused(file -> file.put(67, (byte) 'A'), "canonical");
    refused(file -> file.put(67, (byte) 0xFF), "text");
    refused(file -> file.put(67, (byte) 'z'), "allow entry");
  }

  @Test
  void refusesListsThatAreWrongBehindRightChecksums() throws IOException {
    int list = listAt();
    refused(file -> file.putShort(list, (short) 0), "name");
    refused(file -> file.putShort(list + 2, (short) 4), "forms");
    refused(file -> file.putLong(list + 4, 1), "labels");
    refused(file -> file.putLong(list + 12, 1), "labels");
    refused(file -> file.putLong(list + 20, 1), "prefixes of IPv4");
    refused(file -> file.putLong(list + 20, 1L << 32), "prefixes of IPv4");
    refused(file -> file.putLong(list + 28, 1), "prefixes of IPv6");
    refused(file -> file.putLong(list + 44, 1L << 32), "paths of URLs");
    refused(file -> file.putLong(list + 52, 1), "labels of URLs");
    refused(file -> file.putLong(list + 52, 0), "");
    refused(file -> file.putLong(list + 52, 1L << 3 | 1L << 63), "");
    refused(file -> file.putLong(list + 52, -2), "");
    refused(file -> file.putInt(list + 60, -1), "exceptions");
    refused(file -> file.put(list + 64, (byte) 7), "name");
    refused(file -> file.put(list + 64, (byte) 'b'), "name"); // as the other one
    refused(file -> file.putLong(list + 65, 0), "paths of URLs");
    refused(file -> file.putLong(list + 65, 1L << 32), "paths of URLs");
  }

  @Test
  void whatIsNoBlockListIsSaidSo() throws IOException {
    Files.writeString(
        path(), "just some text that is longer than the header of a block list, it is");
    assertThatThrownBy(() -> Blocklist.load(path()))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining(path().toString())
        .hasMessageContaining("not a valid block list: magic at byte 0")
        .hasCauseInstanceOf(FormatException.class);
    refuses(NoSuchFileException.class, () -> Blocklist.load(directory.resolve("missing")));
    refuses(FileSystemException.class, () -> Blocklist.load(directory), "not a regular file");
  }

  @Test
  void aFileThatCannotBeWrittenIsNamedAndTheOldOneStays() throws IOException {
    Path nowhere = directory.resolve("nowhere").resolve("file");
    Blocklist blocklist = sample(false);
    refuses(FileSystemException.class, () -> blocklist.save(nowhere), nowhere.toString());
  }

  @Test
  void exactHashesOfAReplacedFileGoOnAnswering() throws IOException {
    sample(true).save(path());
    Blocklist old = Blocklist.load(path());
    Blocklist.builder().fpp(0.1).build().blocklist().save(path());
    assertThat(old.check("bad1@mail.example")).isEqualTo(Verdict.BLOCKED);
    assertThat(Blocklist.load(path()).check("bad1@mail.example")).isEqualTo(Verdict.UNLISTED);
  }

  private void refused(Consumer<ByteBuffer> change, String field) throws IOException {
    byte[] bytes = bytes();
    ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    change.accept(file);
    file.putInt(60, checksum(bytes, 60));
    file.putInt(bytes.length - 4, checksum(bytes, bytes.length - 4));
    Files.write(path(), bytes);
    assertThatThrownBy(() -> Blocklist.load(path()))
        .as(field)
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining(field)
        .hasCauseInstanceOf(FormatException.class);
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, length);
    return (int) checksum.getValue();
  }

  private int listAt() throws IOException {
    return 64
        + sample(true).allowlist().entries().keySet().stream()
            .mapToInt(text -> 3 + text.length())
            .sum();
  }

  private byte[] bytes() throws IOException {
    sample(true).save(path());
    return Files.readAllBytes(path());
  }

  private void assertRefused(byte[] bytes) throws IOException {
    Files.write(path(), bytes);
    try {
      Blocklist.load(path());
    } catch (FileSystemException e) {
      assertThat(e).hasCauseInstanceOf(FormatException.class);
      return;
    }
    throw new AssertionError("taken for a block list");
  }

  /** Two lists, allow entries of both kinds, exceptions. */
  private Blocklist sample(boolean exact) throws IOException {
    Path good =
        Files.write(directory.resolve("good"), List.of("bad2@mail.example", "ok@x.example"));
    BlocklistBuilder builder =
        Blocklist.builder().fpp(0.4).ignoreTags().allow("a@mail.example").allow(".fine.example");
    if (exact) {
      builder.exact();
    }
    for (int i = 0; i < 10; i++) {
      builder.block("a", "bad" + i + "@mail.example").block("b", ".bad" + i + ".example");
    }
    builder
        .block("a", "192.0.2.0/24")
        .block("a", "2001:db8::/32")
        .block("a", "http://f.example/x/y.exe?z")
        .block("a", "||g.h.example/x/")
        .block("b", "::1")
        .allow("192.0.2.128/25")
        .allow("||g.h.example/x/y")
        .allow("//f.example/ok");
    return builder.block("b", "c.example").knownGood(good).build().blocklist();
  }

  private static List<String> questions() {
    return List.of(
        "bad1@mail.example",
        "bad1+x@mail.example",
        "bad2@mail.example",
        "ok@x.example",
        "a@mail.example",
        "z.bad3.example",
        "x.fine.example",
        "c.example",
        "192.0.2.1",
        "::ffff:192.0.2.129",
        "a@[IPv6:2001:db8::7]",
        "[::1]",
        "http://f.example/x/y.exe?z",
        "f.example/ok/z",
        "https://i.g.h.example/x/y/z",
        "https://i.g.h.example/x/",
        "nobody@nowhere.example");
  }

  private Path path() {
    return directory.resolve("file");
  }
}
