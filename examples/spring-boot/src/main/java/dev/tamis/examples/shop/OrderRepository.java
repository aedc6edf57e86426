package dev.tamis.examples.shop;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Repository;

/** The orders; stands in for a table with a unique key, and counts its reads. */
@Repository
class OrderRepository {

  private final Map<String, Order> rows = new ConcurrentHashMap<>();
  private final AtomicLong reads = new AtomicLong();

  Optional<Order> find(String requestKey) {
    reads.incrementAndGet();
    return Optional.ofNullable(rows.get(requestKey));
  }

  /** Adds an order, unless there is one with its key; returns whether it was added. */
  boolean add(Order order) {
    return rows.putIfAbsent(order.requestKey(), order) == null;
  }

  long reads() {
    return reads.get();
  }

  long count() {
    return rows.size();
  }
}
