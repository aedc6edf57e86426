package dev.tamis.examples.shop;

import dev.tamis.HashedMutableFilter;
import dev.tamis.redis.RedisFilterException;
import dev.tamis.tools.guard.ReadGuard;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Takes orders once each, and shows products. */
@RestController
class ShopController {

  /*
   * The window answers for most requests that they are new, without a read of the orders. What it
   * reports as seen may be a false positive, or a request whose put was uncertain, so the orders
   * decide. The same holds while the server is away or the window is lost: then every request costs
   * a read, and none is refused or processed twice.
   */

  private final HashedMutableFilter<String> recentRequests;
  private final OrderRepository orders;
  private final ReadGuard<String, Product> products;

  ShopController(
      HashedMutableFilter<String> measuredRequests,
      OrderRepository orders,
      ReadGuard<String, Product> products) {
    this.recentRequests = measuredRequests;
    this.orders = orders;
    this.products = products;
  }

  /** Accepts an order; a repeated request gets the same order again. */
  @PostMapping("/orders")
  ResponseEntity<Order> order(
      @RequestHeader("Idempotency-Key") String requestKey, @RequestBody String productId) {
    if (!isCertainlyNew(requestKey)) {
      var known = orders.find(requestKey);
      if (known.isPresent()) {
        return ResponseEntity.ok(known.get());
      }
    }
    Order order = new Order(requestKey, productId);
    return orders.add(order) // two at once: the unique key lets one through
        ? ResponseEntity.status(HttpStatus.CREATED).body(order)
        : ResponseEntity.ok(orders.find(requestKey).orElseThrow());
  }

  private boolean isCertainlyNew(String requestKey) {
    try {
      return recentRequests.put(requestKey);
    } catch (RedisFilterException e) { // counted by the metrics
      return false;
    }
  }

  /** Shows a product; most that do not exist cost no read. */
  @GetMapping("/products/{id}")
  ResponseEntity<Product> product(@PathVariable("id") String id) {
    return ResponseEntity.ofNullable(products.get(id));
  }
}
