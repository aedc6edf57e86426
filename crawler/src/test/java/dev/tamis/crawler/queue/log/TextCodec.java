package dev.tamis.crawler.queue.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tamis.crawler.queue.log.WriteAheadLog.RecordCodec;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/** Records of text, for tests. */
final class TextCodec implements RecordCodec<String> {

  @Override
  public byte[] encode(String record) {
    return record.getBytes(UTF_8);
  }

  @Override
  public String decode(ByteBuffer payload) {
    try {
      return UTF_8.newDecoder().decode(payload).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("must be UTF-8", e);
    }
  }
}
