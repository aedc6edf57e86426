package dev.tamis.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.tamis.HashedFilter;
import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.cli.Faults;
import dev.tamis.cli.Lines;
import dev.tamis.cli.filter.FilterType;
import dev.tamis.cli.lines.Line;
import dev.tamis.file.FilterFile;
import dev.tamis.hash.HashKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters whose hash has a secret key. */
class KeyFileTest {

  private static final String KEY = "000102030405060708090a0b0c0d0e0f";
  private static final String OTHER = "ff0102030405060708090a0b0c0d0e0f";

  @TempDir Path directory;
  private Path key;
  private Path other;
  private Path filter;

  @BeforeEach
  void writeKeys() throws IOException {
    key = Files.writeString(directory.resolve("key"), KEY);
    other =
        Files.writeString(
            directory.resolve("other"), "\n " + OTHER.toUpperCase(Locale.ROOT) + "\r\n");
    for (Path secret : List.of(key, other)) {
      if (Files.getFileStore(secret).supportsFileAttributeView("posix")) {
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
      }
    }
    filter = directory.resolve("filter");
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"GUAVA", "SPARK", "SPARK_V1", "PARQUET", "DCSO"})
  void everyTypeCanHaveOne(FilterType type) throws IOException {
    Path lines = Files.write(directory.resolve("lines"), Lines.numbers(0, 500));
    Object[] size = type == FilterType.WINDOWED ? new Object[] {"-n 500"} : new Object[0];
    Cli.run("build -q -t", type, "--key-file", key, "-o", filter, size, lines).says("");
    assertThat(Cli.run("check --key-file", key, filter, lines).bytes())
        .isEqualTo(Files.readAllBytes(lines));
    HashKey secret = HashKey.of(HexFormat.of().parseHex(KEY));
    HashedFilter<Line> loaded =
        (HashedFilter<Line>) FilterFile.<Line>load(filter, Line.HASHER.keyedBy(secret));
    assertThat(loaded.hashId().number()).isEqualTo(secret.id());
    assertThat(Cli.run("info --key-file", key, filter).out())
        .containsPattern("\nhash +siphash-2-4\nkey id +" + idOf(KEY) + "\n")
        .doesNotContain(KEY);
    Cli.run("count --key-file", key, filter).ok();
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "info", "count"})
  void aMissingOrWrongOrNeedlessKeyIsRefused(String command) {
    String refusal = "tamis " + command + ": " + filter + ": secret key: must ";
    build(filter, key);
    Cli.run(command, filter)
        .refused(refusal + "have id %s, got none; name its file with --key-file", idOf(KEY));
    Cli.run(command, "--key-file", other, filter)
        .refused(
            refusal + "have id %s, got %s in %s; name the right file with --key-file",
            idOf(KEY),
            idOf(OTHER),
            other);
    Cli.runOn("a\n", "build -q -n 5 -o", filter);
    Cli.run(command, "--key-file", key, filter)
        .refused(refusal + "be none, got one; leave --key-file out");
  }

  @Test
  void filtersOfOneKeyAreMerged() {
    Path second = directory.resolve("second");
    build(filter, key);
    build(second, key);
    Cli.run("merge -q --key-file", key, "-o", filter, filter, second).ok();
    Cli.run("count --key-file", key, filter, second).ok();
    build(second, other);
    Cli.run("merge --key-file", key, "-o", filter, filter, second)
        .refused("tamis merge: " + second + ": secret key: must have id ...");
  }

  @Test
  void aStateGoesOnWithItsKeyOnly() {
    Cli.runOn("a\n", "dedup -q --key-file", key, "-s", filter).prints("a\n");
    Cli.runOn("a\nb\n", "dedup -q --key-file", key, "-s", filter).prints("b\n");
    Cli.runOn("a\n", "dedup -q -s", filter)
        .refused("tamis dedup: " + filter + ": secret key: must have id ...");
  }

  @Test
  void deduplicationCanBeKeyedWithoutAState() throws IOException {
    Path lines = Files.writeString(directory.resolve("lines"), "a\nb\na\n");
    Cli.run("dedup -q --key-file", key, lines).prints("a\nb\n");
    Cli.run("dedup -q -x --key-file", key, lines).prints("a\nb\n");
    Cli.run("dedup -q -n 5 --key-file", key, lines).prints("a\nb\n");
  }

  @Test
  void whatIsNoKeyIsRefusedAndNotShown() throws IOException {
    for (String text :
        List.of("", "00010203", KEY.substring(1), KEY + "0", KEY.replace('f', 'g'), "0 " + KEY)) {
      Files.writeString(key, text);
      Result result = Cli.runOn("a\n", "build -n 5 --key-file", key, "-o", filter);
      result.refused("tamis build: %s: secret key: must be 32 hexadecimal digits, got ...", key);
      // the name of the directory is random, and may have any digits
      assertThat(result.err().replace(key.toString(), "")).doesNotContain("0102");
      assertThat(filter).doesNotExist();
    }
    Files.writeString(key, "0".repeat(5000));
    Cli.runOn("a\n", "build -n 5 --key-file", key, "-o", filter).refused("...got at least 1024...");
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "POSIX permissions")
  void aKeyFileThatCannotBeReadIsNamed() {
    Path missing = directory.resolve("missing");
    Cli.run("check --key-file", missing, filter)
        .refused("tamis check: " + missing + ": No such file or directory; check the name\n");
    Cli.run("check --key-file", directory, filter)
        .refused("tamis check: " + directory + ": Is a directory; name the files in it\n");
  }

  @Test
  void aDamagedFilterIsCalledDamagedWithAndWithoutAKey() throws IOException {
    build(filter, key);
    Faults.flip(filter, 140);
    Cli.run("check --key-file", key, filter).refused("...not a valid filter: checksum...");
  }

  @Test
  void theKeyChangesTheBitsAndTheJsonOfInfoNamesIt() throws IOException {
    build(filter, key);
    String json = Cli.run("info --json --key-file", key, filter).out();
    assertThat(JsonParser.parseString(json).getAsJsonObject().get("key_id").getAsString())
        .isEqualTo(idOf(KEY));
    byte[] first = Files.readAllBytes(filter);
    build(filter, other);
    assertThat(Files.readAllBytes(filter)).isNotEqualTo(first);
  }

  private static void build(Path filter, Path key) {
    Cli.runOn("a\n", "build -q -n 5 --key-file", key, "-o", filter).ok();
  }

  private static String idOf(String key) {
    return HexFormat.of().toHexDigits(HashKey.of(HexFormat.of().parseHex(key)).id());
  }
}
