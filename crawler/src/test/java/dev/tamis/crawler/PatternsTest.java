package dev.tamis.crawler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.tamis.Thorough;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No regular expression of the crawler takes long on hostile input. */
class PatternsTest {

  private static final int LENGTH = Thorough.or(1 << 17, 1 << 20);
  private static final Duration BUDGET = Duration.ofSeconds(5);

  @Test
  void everyPatternIsLinear() throws Exception {
    List<Field> patterns = patterns();
    assertThat(patterns).extracting(Field::getName).contains("REFRESH", "QUEUED", "NUMBER");
    for (Field field : patterns) {
      Pattern pattern = (Pattern) field.get(null);
      for (String input : hostileInputs()) {
        assertTimeoutPreemptively(
            BUDGET,
            () -> {
              boolean whole = pattern.matcher(input).matches();
              assertThat(whole && !pattern.matcher(input).lookingAt()).isFalse();
            },
            () -> field + " on " + input.substring(0, 30));
      }
    }
  }

  private static List<String> hostileInputs() {
    List<String> inputs = new ArrayList<>();
    for (String part :
        new String[] {
          " ", "1", "a", ".", "#", ",", "%41", "0x", " ;", "url=", "'", "1,", "-", "/", "\n"
        }) {
      String repeated = part.repeat(LENGTH / part.length());
      inputs.addAll(
          List.of(
              repeated,
              repeated + "!",
              "5" + repeated + "url",
              "5; url=" + repeated,
              "http://h/#1,1," + repeated + "#",
              "http:" + repeated));
    }
    return inputs;
  }

  private static List<Field> patterns() throws Exception {
    Path classes =
        Path.of(
            dev.tamis.crawler.queue.VisitQueue.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    List<Field> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        String name = classes.relativize(file).toString();
        Class<?> type =
            Class.forName(
                name.substring(0, name.length() - 6).replace(java.io.File.separatorChar, '.'));
        for (Field field : type.getDeclaredFields()) {
          if (Modifier.isStatic(field.getModifiers()) && field.getType() == Pattern.class) {
            field.setAccessible(true);
            found.add(field);
          }
        }
      }
    }
    return found;
  }
}
