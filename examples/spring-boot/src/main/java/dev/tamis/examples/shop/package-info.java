/** A shop whose instances share a window of requests, and which guards its products. */
package dev.tamis.examples.shop;
