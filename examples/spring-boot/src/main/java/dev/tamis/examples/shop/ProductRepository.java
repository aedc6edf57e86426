package dev.tamis.examples.shop;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.springframework.stereotype.Repository;

/** The products; stands in for a database, and counts its reads. */
@Repository
class ProductRepository {

  private final Map<String, Product> rows = new ConcurrentHashMap<>();
  private final AtomicLong reads = new AtomicLong();

  ProductRepository() {
    for (int i = 0; i < 1_000; i++) {
      rows.put("p" + i, new Product("p" + i, "Product " + i));
    }
  }

  /** Returns a product, or null if there is none. */
  Product find(String id) {
    reads.incrementAndGet();
    return rows.get(id);
  }

  Stream<String> ids() {
    return rows.keySet().stream();
  }

  long reads() {
    return reads.get();
  }
}
