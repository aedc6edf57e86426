package dev.tamis.cli.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.file.HashKeyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyNewTest {

  @TempDir Path directory;

  @Test
  @EnabledOnOs(value = {OS.LINUX, OS.MAC}, disabledReason = "POSIX permissions")
  void aNewKeyIsReadableByItsOwnerAloneAndKeysAFilter() throws IOException {
    Path key = directory.resolve("secret.key");
    Path filter = directory.resolve("f.tamis");
    Result made = Cli.run("key new", key).ok();
    assertThat(Files.getPosixFilePermissions(key))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(made.err())
        .isEqualTo("key-id=" + HexFormat.of().toHexDigits(HashKeyFile.read(key).id()) + "\n");
    Cli.runOn("a\n", "build -q -n 1 --key-file", key, "-o", filter).says("");
    Cli.runOn("a\n", "check --key-file", key, filter).prints("a\n");
    Cli.runOn("a\n", "check", filter).refused();
  }

  @Test
  void anOldKeyIsNeverReplaced() throws IOException {
    Path key = Files.writeString(directory.resolve("secret.key"), "old");
    Cli.run("key new", key)
        .refused(
            "tamis key new: %s: exists, and filters may need its key; name another file, or remove"
                + " it first\n",
            key);
    assertThat(key).hasContent("old");
  }

  @Test
  void aMissingDirectoryIsNamed() {
    Path key = directory.resolve("none/secret.key");
    Cli.run("key new", key).refused("tamis key new: " + key + ": its directory does not exist\n");
  }

  @Test
  @EnabledOnOs(value = {OS.LINUX, OS.MAC}, disabledReason = "POSIX permissions")
  void aKeyThatOthersMayReadIsReported() throws IOException {
    Path key = directory.resolve("secret.key");
    Cli.run("key new -q", key).says("");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
    Cli.runOn("a\n", "dedup -q --key-file", key)
        .ok()
        .says("tamis: " + key + ": others may read the secret key; chmod 600 " + key + "\n");
  }
}
