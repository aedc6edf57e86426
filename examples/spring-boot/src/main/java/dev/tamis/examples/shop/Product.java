package dev.tamis.examples.shop;

/**
 * What is sold.
 *
 * @param id by which it is found
 * @param name for people
 */
public record Product(String id, String name) {}
