package user;

import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;

final class Use {
  public static void main(String[] args) {
    BloomFilter<String> seen = BloomFilter.create(KeyHasher.text(), 1000, 0.01);
    System.out.println(seen.put("a") + " " + seen.put("a") + " " + seen.mightContain("a"));
  }
}
