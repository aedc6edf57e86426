package dev.tamis;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Command lines of programs that tests run in a JVM of their own. */
public final class JvmCommand {

  private JvmCommand() {}

  /** Returns the command that runs a class of the tests. */
  public static List<String> of(List<String> options, Class<?> program, Object... arguments) {
    Stream<String> java =
        Stream.of(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    Stream<String> main =
        Stream.of("-cp", System.getProperty("java.class.path"), program.getName());
    return Stream.of(java, options.stream(), main, Stream.of(arguments).map(Object::toString))
        .flatMap(part -> part)
        .toList();
  }
}
