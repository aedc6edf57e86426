package dev.tamis.examples.figures;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Draws every figure of the documents; the same run gives the same bytes. */
public final class DrawFigures {

  private DrawFigures() {}

  /** Takes the directory of the documents, and writes to its directory {@code figures}. */
  public static void main(String[] args) throws IOException {
    if (args.length != 1) {
      System.err.println("usage: DrawFigures DIRECTORY, such as docs");
      System.exit(2);
    }
    Path documents = Path.of(args[0]);
    Path figures = Files.createDirectories(documents.resolve("figures"));
    for (Map.Entry<String, String> figure : all(documents).entrySet()) {
      Files.writeString(figures.resolve(figure.getKey()), figure.getValue(), UTF_8);
    }
  }

  /** Returns each figure by the name of its file. */
  static Map<String, String> all(Path documents) throws IOException {
    PeerCharts peers = PeerCharts.of(documents.resolve("benchmarks.md"));
    Map<String, String> figures = new TreeMap<>();
    figures.put("put.svg", FilterPicture.put());
    figures.put("lookup.svg", FilterPicture.lookup());
    figures.put("layouts.svg", LayoutsPicture.drawn());
    figures.put("fpp-by-keys.svg", FppCharts.byKeys());
    figures.put("fpp-by-hashes.svg", FppCharts.byHashes());
    figures.put("fpp-by-bits.svg", FppCharts.byBits());
    figures.put("database.svg", FppCharts.inFrontOfAStore());
    figures.put("peers-time.svg", peers.times());
    figures.put("peers-bits.svg", peers.bits());
    DedupCharts dedup = DedupCharts.of(documents.resolve("dedup.tsv"));
    figures.put("dedup-time.svg", dedup.seconds());
    figures.put("dedup-memory.svg", dedup.memory());
    return figures;
  }
}
