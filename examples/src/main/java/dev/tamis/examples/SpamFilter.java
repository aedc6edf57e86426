package dev.tamis.examples;

import dev.tamis.blocklist.Blocklist;
import dev.tamis.blocklist.Blocklist.Explanation;
import dev.tamis.blocklist.BlocklistBuilder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Builds a block list from a text file, and prints for each sender whether the mail is blocked, and
 * why.
 */
public final class SpamFilter {

  private SpamFilter() {}

  /** Takes three files: what to block, who is known to be good, and senders, one a line. */
  public static void main(String[] args) throws IOException {
    Usage.require(3, args, SpamFilter.class, "LIST KNOWN_GOOD SENDERS");
    Path saved = Files.createTempFile("spam", ".block");
    try {
      build(Path.of(args[0]), Path.of(args[1]), saved, System.out);
      judge(saved, Path.of(args[2]), System.out);
    } finally {
      Files.delete(saved);
    }
  }

  static void build(Path list, Path knownGood, Path to, PrintStream out) throws IOException {
    BlocklistBuilder.Built built =
        Blocklist.builder()
            .fpp(1e-6)
            .ignoreTags()
            .exact()
            .block("spam", list)
            .knownGood(knownGood)
            .build();
    built.summary().conflictLines().forEach(out::println);
    built.blocklist().save(to);
    out.println(built.blocklist());
  }

  static void judge(Path blocklist, Path senders, PrintStream out) throws IOException {
    Blocklist spam = Blocklist.load(blocklist);
    for (String sender : Files.readAllLines(senders)) {
      Explanation why = spam.explain(sender);
      out.println(sender + " " + why.verdict());
      why.findings().forEach(found -> out.println("  " + found.kind() + " " + found.entry()));
    }
  }
}
