package dev.tamis.cli.corpus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Collections of made-up texts, with repeats of documents and paragraphs. */
final class Corpora {

  private static final int WORDS = 3000;

  private Corpora() {}

  /** Writes files of records whose texts have words with escapes and without. */
  static void write(Path folder, int files, int records, long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> paragraphs = new ArrayList<>();
    Files.createDirectories(folder);
    int id = 0;
    for (int file = 0; file < files; file++) {
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < records; i++) {
        List<String> text = new ArrayList<>();
        int count = 1 + random.nextInt(5);
        for (int j = 0; j < count; j++) {
          text.add(paragraph(random, paragraphs));
        }
        lines.append("{\"id\":").append(id++).append(", \"text\":\"");
        lines.append(String.join("\\n", text)).append("\",\"n\":{\"a\":[1]}}\n");
      }
      Files.writeString(folder.resolve("part-" + file + ".jsonl"), lines.toString());
    }
  }

  private static String paragraph(SplittableRandom random, List<String> known) {
    if (!known.isEmpty() && random.nextInt(4) == 0) {
      return known.get(random.nextInt(known.size()));
    }
    StringBuilder words = new StringBuilder();
    int count = 8 + random.nextInt(30);
    for (int i = 0; i < count; i++) {
      words.append(i == 0 ? "" : " ").append('w').append(random.nextInt(WORDS));
      words.append(random.nextInt(20) == 0 ? "\\u00e9\\ud83d\\ude42\\\"" : "");
    }
    known.add(words.toString());
    return words.toString();
  }

  /** Returns the contents of all files of records in a folder, by their names in it. */
  static Map<String, String> contents(Path folder) throws IOException {
    Map<String, String> contents = new HashMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".jsonl")).toList()) {
        contents.put(folder.relativize(file).toString(), Files.readString(file));
      }
    }
    return contents;
  }
}
