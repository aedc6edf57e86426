package dev.tamis.cli.place;

import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Messages;
import dev.tamis.file.FileErrors;
import dev.tamis.file.HashKeyFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The password with which a command logs in on a server; no message contains it. */
public class RedisLogin {

  /*
   * The order is that of other clients: what is said on the command line, then the environment. A
   * URL with a password and a file with one are both on the command line, so one is a mistake.
   */

  private static final String VARIABLE = "TAMIS_REDIS_PASSWORD";

  /** Room for the token of a cloud's identity service; a larger file is not a password. */
  private static final int MAX_BYTES = 1 << 14;

  private final Messages err;

  @Option(
      names = "--redis-password-file",
      paramLabel = "FILE",
      description =
          "File with the password of the server, in one line; or set TAMIS_REDIS_PASSWORD.")
  private @Nullable Path path;

  /** Any single command occupies a server for less than a second. */
  static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

  private @Nullable String ofFile;

  /** Starts without a file; a password that is none too secret is reported to {@code err}. */
  public RedisLogin(Messages err) {
    this.err = err;
  }

  /** Returns how long to wait for a connection, and for each reply. */
  Duration timeout() {
    return DEFAULT_TIMEOUT;
  }

  /** Returns the server of a filter, with the password to log in with if there is one. */
  URI serverOf(RedisName place) throws IOException {
    if (path != null && place.hasPassword()) {
      throw new CommandException(
          place + ": password: must be in the URL or in " + path + ", got both; leave one out");
    }
    if (place.hasPassword()) {
      return place.server();
    }
    Optional<String> password = path != null ? Optional.of(ofFile(path)) : ofEnvironment();
    if (password.isEmpty() && place.hasUser()) {
      throw new CommandException(
          place
              + ": password: must be given with a user, got none; set "
              + VARIABLE
              + " or name its file with --redis-password-file");
    }
    return password.map(place::serverWithPassword).orElseGet(place::server);
  }

  private static Optional<String> ofEnvironment() {
    return Optional.ofNullable(System.getenv(VARIABLE)).filter(password -> !password.isEmpty());
  }

  private String ofFile(Path file) throws IOException {
    if (ofFile == null) {
      ofFile = read(file);
      if (HashKeyFile.isReadableByOthers(file)) {
        err.line("tamis: " + file + ": others may read the password; chmod 600 " + file);
      }
    }
    return ofFile;
  }

  /** Reads a file's only line. */
  private static String read(Path file) throws IOException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      throw FileErrors.named(file, e);
    }
    if (bytes.length > MAX_BYTES) {
      throw noPassword(file, "must have at most " + MAX_BYTES + " bytes, got more");
    }
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw noPassword(file, "must be UTF-8, got other bytes");
    }
    String line = text.replaceFirst("\r?\n\\z", "");
    if (line.isEmpty()) {
      throw noPassword(file, "must be one line, got none");
    }
    if (line.indexOf('\n') >= 0) {
      throw noPassword(file, "must be one line, got several");
    }
    return line;
  }

  private static CommandException noPassword(Path file, String rule) {
    return new CommandException(
        file + ": password: " + rule + "; write the password to the file and nothing else");
  }
}
