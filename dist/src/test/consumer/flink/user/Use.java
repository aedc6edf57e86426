package user;

import dev.tamis.flink.FilterSource;
import dev.tamis.hash.KeyHasher;
import java.nio.file.NoSuchFileException;

/** Without Flink, which a cluster brings: what needs none runs all the same. */
final class Use {
  public static void main(String[] args) throws Exception {
    FilterSource<String> source = FilterSource.file("missing.tamis", KeyHasher.text());
    boolean loaded = true;
    try {
      loaded = source.load().mightContain("a");
    } catch (NoSuchFileException e) {
      loaded = false;
    }
    System.out.println((source != null) + " " + loaded + " " + !loaded);
  }
}
