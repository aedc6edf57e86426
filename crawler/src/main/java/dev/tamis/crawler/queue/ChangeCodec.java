package dev.tamis.crawler.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tamis.crawler.queue.log.WriteAheadLog.RecordCodec;
import dev.tamis.format.Codec;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import java.util.Optional;

/**
 * Encodes changes, little-endian: one byte for the type, then its fields.
 *
 * <pre>
 * 1 accepted               u64 sequence, host, url, key
 * 2 accepted, url is key   u64 sequence, host, url
 * 3 marked                 key
 * 4 delivered              u64 sequence, host
 * 5 returned               u64 sequence, u64 new sequence, host
 * 6 claimed                host, url, key
 * 7 settled as accepted    key
 * 8 settled as doubtful    key
 * 9 settled as duplicate   key
 * </pre>
 *
 * <p>A text is its length in bytes, u32, and its UTF-8.
 */
final class ChangeCodec implements RecordCodec<Change> {

  private static final byte ACCEPTED = 1;
  private static final byte ACCEPTED_URL_IS_KEY = 2;
  private static final byte MARKED = 3;
  private static final byte DELIVERED = 4;
  private static final byte RETURNED = 5;
  private static final byte CLAIMED = 6;
  private static final byte SETTLED = 7;

  /** From type 7 on. */
  private static final List<Change.Outcome> OUTCOMES =
      List.of(Change.Outcome.ACCEPTED, Change.Outcome.DOUBTFUL, Change.Outcome.DUPLICATE);

  @Override
  public byte[] encode(Change change) {
    if (change instanceof Change.Accepted accepted) {
      QueuedUrl url = accepted.url();
      long[] numbers = {url.sequence()};
      return accepted.key().equals(url.url())
          ? encode(ACCEPTED_URL_IS_KEY, numbers, url.host(), url.url())
          : encode(ACCEPTED, numbers, url.host(), url.url(), accepted.key());
    } else if (change instanceof Change.Marked marked) {
      return encode(MARKED, new long[0], marked.key());
    } else if (change instanceof Change.Delivered delivered) {
      return encode(DELIVERED, new long[] {delivered.sequence()}, delivered.host());
    } else if (change instanceof Change.Returned returned) {
      long[] numbers = {returned.sequence(), returned.newSequence()};
      return encode(RETURNED, numbers, returned.host());
    } else if (change instanceof Change.Claimed claimed) {
      return encode(CLAIMED, new long[0], claimed.host(), claimed.url(), claimed.key());
    } else if (change instanceof Change.Settled settled) {
      return encode(
          (byte) (SETTLED + OUTCOMES.indexOf(settled.outcome())), new long[0], settled.key());
    }
    throw new IllegalStateException("unreachable: Change is sealed");
  }

  private static byte[] encode(byte type, long[] numbers, String... texts) {
    int length = 1 + Long.BYTES * numbers.length;
    byte[][] encoded = new byte[texts.length][];
    for (int i = 0; i < texts.length; i++) {
      encoded[i] = texts[i].getBytes(UTF_8);
      length += Integer.BYTES + encoded[i].length;
    }
    byte[] bytes = new byte[length];
    ByteBuffer out = Codec.buffer(bytes).put(type);
    for (long number : numbers) {
      out.putLong(number);
    }
    for (byte[] text : encoded) {
      out.putInt(text.length).put(text);
    }
    return bytes;
  }

  @Override
  public Change decode(ByteBuffer payload) {
    try {
      Change change = change(payload);
      if (payload.hasRemaining()) {
        throw new IllegalArgumentException(payload.remaining() + " bytes left over");
      }
      return change;
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("truncated after " + payload.limit() + " bytes", e);
    }
  }

  private static Change change(ByteBuffer in) {
    byte type = in.get();
    return switch (type) {
      case ACCEPTED, ACCEPTED_URL_IS_KEY -> {
        QueuedUrl url = new QueuedUrl(in.getLong(), text(in), text(in), 0);
        yield new Change.Accepted(url, type == ACCEPTED ? text(in) : url.url(), Optional.empty());
      }
      case MARKED -> new Change.Marked(text(in), Optional.empty());
      case DELIVERED -> {
        long sequence = in.getLong();
        yield new Change.Delivered(text(in), sequence);
      }
      case RETURNED -> {
        long sequence = in.getLong();
        long newSequence = in.getLong();
        yield new Change.Returned(text(in), sequence, newSequence);
      }
      case CLAIMED -> new Change.Claimed(text(in), text(in), text(in));
      default -> {
        if (type < SETTLED || type >= SETTLED + OUTCOMES.size()) {
          throw new IllegalArgumentException("type: must be 1 to 9, got " + type);
        }
        yield new Change.Settled(text(in), OUTCOMES.get(type - SETTLED));
      }
    };
  }

  private static String text(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException(
          "text length: must be at most " + in.remaining() + ", got " + length);
    }
    ByteBuffer bytes = in.slice().limit(length);
    in.position(in.position() + length);
    try {
      return UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("text: must be UTF-8", e);
    }
  }
}
