package dev.tamis.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** A command {@code tamis} for shells, which runs the classes under test as the launcher does. */
public final class TamisOnPath {

  private TamisOnPath() {}

  /** Writes it into a folder and returns its file. */
  public static Path in(Path folder) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("tamis"),
            String.format(
                Locale.ROOT,
                """
                #!/bin/sh
                flags=
                [ -t 1 ] && flags="$flags -Dtamis.stdout.tty=true"
                [ -t 2 ] && flags="$flags -Dtamis.stderr.tty=true"
                exec '%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx256m -Dfile.encoding=UTF-8 \\
                  $flags ${TAMIS_JAVA_OPTS:-} -cp '%s' dev.tamis.cli.Main "$@"
                """,
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path")));
    if (!file.toFile().setExecutable(true)) {
      throw new IOException(file + ": cannot be made executable");
    }
    return file;
  }
}
