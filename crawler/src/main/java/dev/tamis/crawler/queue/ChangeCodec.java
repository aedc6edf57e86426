package dev.tamis.crawler.queue;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.h2.mvstore.WriteBuffer;

/** Changes as bytes. */
final class ChangeCodec {

  private static final byte ACCEPTED = 1;
  private static final byte ACCEPTED_AS_ITS_OWN_KEY = 2;
  private static final byte MARKED = 3;
  private static final byte DELIVERED = 4;
  private static final byte RETURNED = 5;
  private static final byte CLAIMED = 6;
  private static final byte SETTLED_ACCEPTED = 7;
  private static final byte SETTLED_DOUBTFUL = 8;
  private static final byte SETTLED_DUPLICATE = 9;

  private ChangeCodec() {}

  static void write(Change change, WriteBuffer out) {
    if (change instanceof Change.Accepted accepted) {
      Entry entry = accepted.entry();
      boolean same = accepted.key().equals(entry.url());
      out.put(same ? ACCEPTED_AS_ITS_OWN_KEY : ACCEPTED).putLong(entry.sequence());
      putText(entry.host(), out);
      putText(entry.url(), out);
      if (!same) {
        putText(accepted.key(), out);
      }
    } else if (change instanceof Change.Marked marked) {
      out.put(MARKED);
      putText(marked.key(), out);
    } else if (change instanceof Change.Delivered delivered) {
      out.put(DELIVERED).putLong(delivered.sequence());
      putText(delivered.host(), out);
    } else if (change instanceof Change.Returned returned) {
      out.put(RETURNED).putLong(returned.sequence()).putLong(returned.newSequence());
      putText(returned.host(), out);
    } else if (change instanceof Change.Claimed claimed) {
      out.put(CLAIMED);
      putText(claimed.claim().host(), out);
      putText(claimed.claim().url(), out);
      putText(claimed.claim().key(), out);
    } else if (change instanceof Change.Settled settled) {
      out.put(number(settled.outcome()));
    }
  }

  private static byte number(Change.Outcome outcome) {
    return switch (outcome) {
      case ACCEPTED -> SETTLED_ACCEPTED;
      case DOUBTFUL -> SETTLED_DOUBTFUL;
      case DUPLICATE -> SETTLED_DUPLICATE;
    };
  }

  /**
   * Reads what {@link #write} wrote, which must fill the bytes.
   *
   * @throws CharacterCodingException if text is not UTF-8
   * @throws IllegalArgumentException if it is no such thing
   */
  static Change read(ByteBuffer in) throws CharacterCodingException {
    try {
      Change change = readChange(in);
      if (in.hasRemaining()) {
        throw new IllegalArgumentException(in.remaining() + " bytes too many");
      }
      return change;
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("bytes are missing", e);
    }
  }

  private static Change readChange(ByteBuffer in) throws CharacterCodingException {
    byte kind = in.get();
    switch (kind) {
      case ACCEPTED, ACCEPTED_AS_ITS_OWN_KEY -> {
        long sequence = in.getLong();
        Entry entry = new Entry(sequence, text(in), text(in), 0);
        return new Change.Accepted(entry, kind == ACCEPTED ? text(in) : entry.url());
      }
      case MARKED -> {
        return new Change.Marked(text(in));
      }
      case DELIVERED -> {
        long sequence = in.getLong();
        return new Change.Delivered(text(in), sequence);
      }
      case RETURNED -> {
        long sequence = in.getLong();
        long newSequence = in.getLong();
        return new Change.Returned(text(in), sequence, newSequence);
      }
      case CLAIMED -> {
        return new Change.Claimed(new Claim(text(in), text(in), text(in)));
      }
      case SETTLED_ACCEPTED -> {
        return new Change.Settled(Change.Outcome.ACCEPTED);
      }
      case SETTLED_DOUBTFUL -> {
        return new Change.Settled(Change.Outcome.DOUBTFUL);
      }
      case SETTLED_DUPLICATE -> {
        return new Change.Settled(Change.Outcome.DUPLICATE);
      }
      default -> throw new IllegalArgumentException("no change has the number " + kind);
    }
  }

  private static void putText(String text, WriteBuffer out) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.putInt(bytes.length).put(bytes);
  }

  private static String text(ByteBuffer in) throws CharacterCodingException {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException("a text of " + length + " bytes in " + in.remaining());
    }
    ByteBuffer bytes = in.slice().limit(length);
    in.position(in.position() + length);
    CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(bytes);
    return text.toString();
  }
}
