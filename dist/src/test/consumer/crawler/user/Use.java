package user;

import dev.tamis.crawler.queue.VisitQueue;

final class Use {
  public static void main(String[] args) {
    try (VisitQueue queue = VisitQueue.builder().expectedKeys(1000).fpp(1e-6).build()) {
      queue.push("http://example.org/a");
      queue.push("http://example.org/a");
      System.out.println(
          queue.poll().isPresent()
              + " "
              + queue.poll().isPresent()
              + " "
              + queue.mightHaveSeen("http://example.org/a"));
    }
  }
}
