package dev.tamis.crawler.queue.log;

import java.nio.ByteBuffer;

/**
 * Encodes the records of a write-ahead log as bytes.
 *
 * @param <R> the type of record
 */
public interface RecordCodec<R> {

  /** Returns the bytes of a record, at least one. */
  byte[] encode(R record);

  /**
   * Decodes what {@link #encode} returned, which must fill the buffer.
   *
   * @param payload the bytes, little-endian
   * @throws IllegalArgumentException saying why, if the bytes are not a record
   */
  R decode(ByteBuffer payload);
}
