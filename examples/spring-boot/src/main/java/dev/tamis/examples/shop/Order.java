package dev.tamis.examples.shop;

/**
 * An order that was accepted.
 *
 * @param requestKey the client's idempotency key
 * @param productId what was ordered
 */
public record Order(String requestKey, String productId) {}
