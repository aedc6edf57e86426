package dev.tamis.cli.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.blocklist.Blocklist;
import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.file.HashKeyFile;
import dev.tamis.hash.HashKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code tamis block} with the secret key of a block list. */
class BlockKeyTest {

  @TempDir Path directory;
  private Path file;
  private Path key;
  private Path other;

  /** What check reads; explain has it for a query, to which it does not come. */
  private Path senders;

  private String id;
  private String otherId;

  @BeforeEach
  void writeKeys() throws IOException {
    file = directory.resolve("file.block");
    key = directory.resolve("key");
    other = directory.resolve("other");
    senders = Files.writeString(directory.resolve("senders"), "ann@mail.example\n");
    id = idOf(HashKeyFile.create(key));
    otherId = idOf(HashKeyFile.create(other));
  }

  @Test
  void aListWithAKeyAnswersAsOneWithout() throws IOException {
    build("--key-file", key).says("").ok();
    assertThat(Blocklist.hashIdOf(file).printedNumber()).isEqualTo(id);
    String senders = "ann@www.spam.example\nann@mail.example\n";
    Cli.runOn(senders, "block check -q --key-file", key, file).prints("ann@www.spam.example\n");
    Cli.run("block explain --key-file", key, file, "www.spam.example")
        .prints(
            """
            www.spam.example: blocked
              listed as .spam.example (whole-domain) in standard input
            """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "explain"})
  void aListWithAKeyIsRefusedWithoutIt(String command) {
    build("--key-file", key);
    assertRefused(
        Cli.run("block", command, file, senders),
        command,
        "secret key: must have id " + id + ", got none; name its file with --key-file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "explain"})
  void aWrongKeyIsRefusedWithBothIds(String command) {
    build("--key-file", key);
    assertRefused(
        Cli.run("block", command, "--key-file", other, file, senders),
        command,
        String.format(
            Locale.ROOT,
            "secret key: must have id %s, got %s in %s; name the right file with --key-file",
            id,
            otherId,
            other));
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "explain"})
  void aKeyForAListThatHasNoneIsRefused(String command) {
    build();
    assertRefused(
        Cli.run("block", command, "--key-file", key, file, senders),
        command,
        "secret key: must be none, got one; leave --key-file out");
  }

  @Test
  void aDamagedListIsCalledDamagedWithAndWithoutAKey() throws IOException {
    build("--key-file", key);
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1] ^= 1;
    Files.write(file, bytes);
    Cli.run("block explain --key-file", key, file, "a.example")
        .refused("...not a valid block list: checksum...");
    bytes[40] ^= 1;
    Files.write(file, bytes);
    Cli.run("block explain", file, "a.example")
        .refused("...not a valid block list: header checksum...");
  }

  private Result build(Object... keyFile) {
    Object[] args = new Object[keyFile.length + 6];
    System.arraycopy(new Object[] {"block", "build", "-q", "-x", "-o", file}, 0, args, 0, 6);
    System.arraycopy(keyFile, 0, args, 6, keyFile.length);
    return Cli.runOn(".spam.example\n", args);
  }

  private void assertRefused(Result result, String command, String message) {
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err())
        .isEqualTo("tamis block " + command + ": " + file + ": " + message + "\n");
  }

  private static String idOf(HashKey key) {
    return HexFormat.of().toHexDigits(key.id());
  }
}
