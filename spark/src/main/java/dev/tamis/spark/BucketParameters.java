package dev.tamis.spark;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The parameters of a stream without repeats, which two runs with one checkpoint must share.
 *
 * @param key the columns of the key, with their types
 * @param eventTime the column of event time
 * @param windowMillis for how long a key is remembered at least
 * @param expectedKeys n, the distinct keys expected in a window
 * @param fpp p, the probability that a new key is dropped
 * @param buckets the number of buckets
 */
record BucketParameters(
    String key, String eventTime, long windowMillis, long expectedKeys, double fpp, int buckets)
    implements Serializable {

  private List<String> named() {
    return List.of(
        "key " + key,
        "eventTime " + eventTime,
        "window " + windowMillis + " ms",
        "expectedKeys " + expectedKeys,
        "fpp " + fpp,
        "buckets " + buckets);
  }

  byte[] toBytes() {
    return String.join("\0", named()).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Checks that these are the parameters that the state was written with.
   *
   * @param stored what {@link #toBytes} of those returned
   * @throws IllegalStateException if they are not, naming those that differ
   */
  void requireSame(byte[] stored) {
    if (!Arrays.equals(stored, toBytes())) {
      List<String> theirs = List.of(new String(stored, StandardCharsets.UTF_8).split("\0", -1));
      List<String> ours = named();
      throw new IllegalStateException(
          "the state was written with "
              + theirs.stream().filter(each -> !ours.contains(each)).toList()
              + ", the query asks for "
              + ours.stream().filter(each -> !theirs.contains(each)).toList()
              + "; give the parameters of the checkpoint, or start with another one");
    }
  }
}
