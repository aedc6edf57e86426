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
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option and the environment variable with a server's password, which no message contains. */
public final class RedisPasswordOption {

  /*
   * As in other clients the command line overrides the environment; a password in the URL and one in
   * a file are both on the command line, so one is a mistake.
   */

  private static final String VARIABLE = "TAMIS_REDIS_PASSWORD";

  /** Room for a token of a cloud identity service. */
  private static final int MAX_BYTES = 1 << 14;

  private final Messages err;

  @Option(
      names = "--redis-password-file",
      paramLabel = "FILE",
      description =
          "File with the password of the server, in one line; or set TAMIS_REDIS_PASSWORD.")
  private @Nullable Path path;

  private @Nullable String ofFile;

  public RedisPasswordOption(Messages err) {
    this.err = err;
  }

  /** Returns the server of a filter, with the password if there is one. */
  URI serverOf(RedisName place) throws IOException {
    if (path != null && place.hasPassword()) {
      throw new CommandException(
          "%s: password: must be in the URL or in %s, got both; leave one out", place, path);
    }
    if (place.hasPassword()) {
      return place.server();
    }
    Optional<String> password = path != null ? Optional.of(ofFile(path)) : ofEnvironment();
    if (password.isEmpty() && place.hasUser()) {
      throw new CommandException(
          "%s: password: must be given with a user, got none; set %s or name its file with"
              + " --redis-password-file",
          place, VARIABLE);
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
        err.line("tamis: %s: others may read the password; chmod 600 %s", file, file);
      }
    }
    return ofFile;
  }

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
        "%s: password: %s; write the password to the file and nothing else", file, rule);
  }
}
