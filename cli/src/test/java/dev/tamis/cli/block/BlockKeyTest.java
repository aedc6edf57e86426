package dev.tamis.cli.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.blocklist.Blocklist;
import dev.tamis.cli.Cli;
import dev.tamis.cli.Faults;
import dev.tamis.file.HashKeyFile;
import dev.tamis.hash.HashKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
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
    build("--key-file", key);
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
  @ValueSource(strings = {"block check", "block explain"})
  void aMissingOrWrongOrNeedlessKeyIsRefused(String command) {
    String refusal = "tamis " + command + ": " + file + ": secret key: must ";
    build("--key-file", key);
    Cli.run(command, file, senders)
        .refused(refusal + "have id %s, got none; name its file with --key-file", id);
    Cli.run(command, "--key-file", other, file, senders)
        .refused(
            refusal + "have id %s, got %s in %s; name the right file with --key-file",
            id,
            otherId,
            other);
    build();
    Cli.run(command, "--key-file", key, file, senders)
        .refused(refusal + "be none, got one; leave --key-file out");
  }

  @Test
  void aDamagedListIsCalledDamagedWithAndWithoutAKey() throws IOException {
    build("--key-file", key);
    Faults.flip(file, -1);
    Cli.run("block explain --key-file", key, file, "a.example")
        .refused("...not a valid block list: checksum...");
    Faults.flip(file, 40);
    Cli.run("block explain", file, "a.example")
        .refused("...not a valid block list: header checksum...");
  }

  private void build(Object... keyFile) {
    Cli.runOn(".spam.example\n", "block build -q -x -o", file, keyFile).ok().says("");
  }

  private static String idOf(HashKey key) {
    return HexFormat.of().toHexDigits(key.id());
  }
}
