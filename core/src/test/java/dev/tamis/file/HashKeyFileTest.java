package dev.tamis.file;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.hash.HashKey;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HashKeyFileTest {

  private static final String DIGITS = "000102030405060708090a0b0c0d0e0f";

  @TempDir Path directory;

  @Test
  void aNewKeyIsReadBack() throws IOException {
    Path path = directory.resolve("key");
    HashKey key = HashKeyFile.create(path);
    assertThat(HashKeyFile.read(path)).isEqualTo(key);
    assertThat(HashKeyFile.create(directory.resolve("other"))).isNotEqualTo(key);
  }

  @Test
  @EnabledOnOs(value = {OS.LINUX, OS.MAC}, disabledReason = "POSIX permissions")
  void onlyItsOwnerMayReadIt() throws IOException {
    Path path = directory.resolve("key");
    Files.writeString(path, "public");
    assertThat(HashKeyFile.isReadableByOthers(path)).isTrue();
    HashKeyFile.write(path, new byte[HashKey.BYTES]);
    assertThat(HashKeyFile.read(path)).isEqualTo(HashKey.of(new byte[HashKey.BYTES]));
    assertThat(HashKeyFile.isReadableByOthers(path)).isFalse();
    assertThat(Files.getPosixFilePermissions(path))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void noKeyIsLostToANewOne() throws IOException {
    Path path = directory.resolve("key");
    HashKey key = HashKeyFile.create(path);
    refuses(FileAlreadyExistsException.class, () -> HashKeyFile.create(path));
    assertThat(HashKeyFile.read(path)).isEqualTo(key);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        DIGITS,
        DIGITS + "\n",
        "  \r\n" + DIGITS + "\t",
        "000102030405060708090A0B0C0D0E0F"
      })
  void whiteSpaceAroundTheDigitsIsAllowed(String text) throws IOException {
    byte[] bytes = new byte[HashKey.BYTES];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    Path path = Files.writeString(directory.resolve("key"), text);
    assertThat(HashKeyFile.read(path)).isEqualTo(HashKey.of(bytes));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        DIGITS + "0",
        "g0010203040506070809" + "0a0b0c0d0e0f",
        DIGITS + " " + DIGITS
      })
  void whatIsNoKeyIsRefusedAndNotQuoted(String text) throws IOException {
    Path path = Files.writeString(directory.resolve("key"), text);
    assertThatThrownBy(() -> HashKeyFile.read(path))
        .isInstanceOf(FileSystemException.class)
        .hasMessageStartingWith(path + ": secret key: must be 32 hexadecimal digits, got ")
        .message()
        .satisfies(
            all -> assertThat(all.substring(path.toString().length())).doesNotContain("0001"));
  }

  @Test
  void aMissingFileIsNamed() {
    Path path = directory.resolve("key");
    refuses(NoSuchFileException.class, () -> HashKeyFile.read(path));
  }

  @Test
  @EnabledOnOs(value = {OS.LINUX, OS.MAC}, disabledReason = "reads /dev/zero")
  void anEndlessFileIsNotReadToItsEnd() {
    refuses(
        FileSystemException.class,
        () -> HashKeyFile.read(Path.of("/dev/zero")),
        "hexadecimal digits");
  }
}
