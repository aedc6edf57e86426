package dev.tamis.examples;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tamis.HashedFilter;
import dev.tamis.Storable;
import dev.tamis.hash.HashId;
import dev.tamis.sketch.CountMinSketch;
import java.io.ByteArrayOutputStream;
import java.util.List;

/**
 * A filter or a count-min sketch of lines, under a name that says its shape.
 *
 * @param name for the report of a test
 * @param content what is written to a file
 */
record Sample(String name, Storable content) {

  /** Returns the expected output of a reader: the keys that may be in, or each with a count. */
  @SuppressWarnings("unchecked") // all samples are of lines
  String answers(List<byte[]> keys) {
    ByteArrayOutputStream answers = new ByteArrayOutputStream();
    for (byte[] key : keys) {
      if (content instanceof CountMinSketch<?> sketch) {
        long count = ((CountMinSketch<byte[]>) sketch).approximateCount(key);
        answers.writeBytes((count + "\t").getBytes(US_ASCII));
        print(answers, key);
      } else if (((HashedFilter<byte[]>) content).mightContain(key)) {
        print(answers, key);
      }
    }
    return answers.toString(ISO_8859_1);
  }

  /** Says whether the keys are hashed under {@link Samples#SECRET}. */
  boolean isKeyed() {
    HashId id =
        content instanceof CountMinSketch<?> sketch
            ? sketch.hashId()
            : ((HashedFilter<?>) content).hashId();
    return id.algorithm().isKeyed();
  }

  static void print(ByteArrayOutputStream out, byte[] line) {
    out.writeBytes(line);
    out.write('\n');
  }

  @Override
  public String toString() {
    return name;
  }
}
