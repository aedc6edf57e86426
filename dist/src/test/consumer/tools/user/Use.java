package user;

import dev.tamis.hash.KeyHasher;
import dev.tamis.tools.dedup.Deduplicator;

final class Use {
  public static void main(String[] args) {
    Deduplicator<String> lines =
        Deduplicator.<String>builder(KeyHasher.text()).expectedKeys(1000).fpp(1e-6).build();
    System.out.println(lines.firstSeen("a") + " " + lines.firstSeen("a") + " " + (lines.seen() == 2));
  }
}
