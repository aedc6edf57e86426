package dev.tamis;

import dev.tamis.format.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** A filter or sketch that can be written in Tamis' file format. */
public interface Storable {

  /** The most bytes that {@link #toByteArray} returns: what an array holds on every JVM. */
  int MAX_ARRAY_BYTES = Integer.MAX_VALUE - 8;

  /** Returns the kind of frame that {@link #writeTo} writes. */
  Kind kind();

  /** Returns how many bytes {@link #writeTo} writes. */
  long serializedSize();

  /** Writes this in Tamis' file format, version 1; flushes the stream and leaves it open. */
  void writeTo(OutputStream out) throws IOException;

  /** Returns the bytes that {@link #writeTo} writes; throws if an array cannot hold them. */
  default byte[] toByteArray() {
    long size = serializedSize();
    if (size > MAX_ARRAY_BYTES) {
      throw new IllegalStateException(
          "it takes " + size + " bytes, an array holds at most " + MAX_ARRAY_BYTES);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream((int) size);
    try {
      writeTo(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("an array cannot fail", e);
    }
    return bytes.toByteArray();
  }
}
