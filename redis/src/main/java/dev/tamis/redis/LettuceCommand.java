package dev.tamis.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

final class LettuceCommand extends AsyncCommand<byte[], byte[], Reply> {

  LettuceCommand(Command command) {
    super(new Encoded(command));
  }

  /**
   * Returns the reply, or gives up.
   *
   * @param noReply the reason, if no reply has arrived
   */
  Reply reply(Exception noReply) {
    if (!isDone()) {
      cancel();
      return new Reply.Missing(true, noReply); // it may just be on its way
    }
    try {
      Reply reply = getNow(null);
      return reply == null ? new Reply.Bytes(null) : reply;
    } catch (CompletionException e) {
      return failure(e.getCause(), ((Encoded) getDelegate()).isEncoded);
    } catch (CancellationException e) {
      return new Reply.Missing(true, e);
    }
  }

  /** Returns the reply that stands for an exception of Lettuce. */
  static Reply failure(@Nullable Throwable thrown, boolean mayHaveRun) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof RedisCommandExecutionException) {
        return new Reply.Refusal(String.valueOf(cause.getMessage()));
      }
    }
    return new Reply.Missing(
        mayHaveRun, thrown instanceof Exception e ? e : new RedisException(thrown));
  }

  /** A command that knows whether it was written to a connection. */
  private static final class Encoded
      extends io.lettuce.core.protocol.Command<byte[], byte[], Reply> {

    private volatile boolean isEncoded;

    Encoded(Command command) {
      super(new Keyword(command.name()), new ReplyOutput(), arguments(command));
    }

    private static CommandArgs<byte[], byte[]> arguments(Command command) {
      CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
      for (byte[] argument : command.arguments()) {
        if (argument == command.key()) {
          arguments.addKey(argument);
        } else {
          arguments.add(argument);
        }
      }
      return arguments;
    }

    @Override
    public void encode(ByteBuf bytes) {
      isEncoded = true;
      super.encode(bytes);
    }
  }

  private record Keyword(String word) implements ProtocolKeyword {

    @Override
    public byte[] getBytes() {
      return CommandTokens.of(word);
    }

    @Override
    public String toString() {
      return word;
    }
  }

  /** Collects a reply. */
  private static final class ReplyOutput extends CommandOutput<byte[], byte[], Reply> {

    private static final String MIXED = "a list of neither integers nor strings";

    private final List<byte[]> strings = new ArrayList<>();
    private @Nullable List<Long> numbers;

    @SuppressWarnings("NullAway") // null until the reply arrives
    ReplyOutput() {
      super(ByteArrayCodec.INSTANCE, null);
    }

    @Override
    public void multi(int count) {
      if (numbers == null) {
        numbers = new ArrayList<>(); // whatever length the server claims
        output = new Reply.Numbers(numbers);
      } // the elements of nested lists follow
    }

    @Override
    public void set(long integer) {
      if (numbers == null) {
        output = new Reply.Whole(integer);
      } else if (strings.isEmpty()) {
        numbers.add(integer);
      } else {
        setError(MIXED);
      }
    }

    @Override
    public void set(@Nullable ByteBuffer bytes) {
      if (numbers == null) {
        output = new Reply.Bytes(bytes == null ? null : copy(bytes));
      } else if (numbers.isEmpty() && bytes != null) {
        strings.add(copy(bytes));
        output = new Reply.Strings(strings);
      } else {
        setError(MIXED);
      }
    }

    private static byte[] copy(ByteBuffer bytes) {
      byte[] copy = new byte[bytes.remaining()];
      bytes.get(copy);
      return copy;
    }
  }
}
