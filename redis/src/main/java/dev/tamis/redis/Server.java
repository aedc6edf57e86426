package dev.tamis.redis;

import java.util.ArrayList;
import java.util.List;

/** Sends commands over a link, retries idempotent ones, and turns bad replies into exceptions. */
final class Server {

  /** Commands in flight together: more bring nothing, and memory is bounded. */
  static final int BATCH = 256;

  /**
   * Bytes that the server may allocate, write or free for one batch, during which it serves no
   * other client.
   */
  private static final long BATCH_BYTES = 1 << 20;

  /** Counting set bits takes a quarter of the time of writing them, or less; so does freeing. */
  static final int CHEAP = 4;

  private final RedisLink link;

  Server(RedisLink link) {
    this.link = link;
  }

  boolean isOver(RedisLink other) {
    return link == other;
  }

  /** Sends any number of commands and returns the replies, failures included. */
  List<Reply> send(List<Command> commands) {
    if (commands.size() <= BATCH) {
      return sendBatch(commands);
    }
    List<Reply> replies = new ArrayList<>(commands.size());
    for (int from = 0; from < commands.size(); from += BATCH) {
      int to = Math.min(commands.size(), from + BATCH);
      replies.addAll(sendBatch(commands.subList(from, to)));
    }
    return replies;
  }

  /**
   * Sends commands that occupy the server, few enough at a time that others are served in between,
   * and returns the replies, failures included. After a batch with a failure nothing more is sent.
   *
   * @param bytesEach the bytes that the server writes for the largest of the commands
   */
  List<Reply> sendInTurn(List<Command> commands, long bytesEach) {
    int together = (int) Math.min(BATCH, Math.max(1, BATCH_BYTES / Math.max(1, bytesEach)));
    List<Reply> replies = new ArrayList<>(commands.size());
    for (int from = 0; from < commands.size(); from += together) {
      int to = Math.min(commands.size(), from + together);
      List<Reply> batch = sendBatch(commands.subList(from, to));
      replies.addAll(batch);
      if (batch.stream().anyMatch(Server::isFailure)) {
        break;
      }
    }
    return replies;
  }

  /** Sends commands that occupy the server and must all succeed, with any reply. */
  void runInTurn(List<Command> commands, long bytesEach) {
    requireSuccess(commands, sendInTurn(commands, bytesEach));
  }

  private static boolean isFailure(Reply reply) {
    return reply instanceof Reply.Refusal || reply instanceof Reply.Missing;
  }

  /** Sends one batch; one of reads only is retried once as a whole if a reply is missing. */
  private List<Reply> sendBatch(List<Command> commands) {
    List<Reply> replies = link.send(commands);
    return isToBeRepeated(commands, replies) ? link.sendAgain(commands) : replies;
  }

  /** Returns whether a reply is missing, and all commands only read. */
  static boolean isToBeRepeated(List<Command> commands, List<Reply> replies) {
    return replies.stream().anyMatch(Reply.Missing.class::isInstance)
        && commands.stream().allMatch(Command::isReadOnly);
  }

  long number(Command command) {
    return number(command, send(List.of(command)).get(0));
  }

  /** Sends one command and returns the bytes that it replies with, empty if there are none. */
  byte[] bytes(Command command) {
    return bytes(command, send(List.of(command)).get(0));
  }

  /** Sends commands that must all succeed, with any reply. */
  void run(List<Command> commands) {
    requireSuccess(commands, send(commands));
  }

  static void requireSuccess(List<Command> commands, List<Reply> replies) {
    for (int i = 0; i < replies.size(); i++) {
      requireSuccess(commands.get(i), replies.get(i));
    }
  }

  static long number(Command command, Reply reply) {
    requireSuccess(command, reply);
    if (reply instanceof Reply.Whole number) {
      return number.value();
    }
    throw unexpected(command, "an integer", reply);
  }

  static long count(Command command, Reply reply, long most) {
    long count = number(command, reply);
    if (count < 0 || count > most) {
      throw unexpected(command, "0 to " + most, reply);
    }
    return count;
  }

  static byte[] bytes(Command command, Reply reply) {
    requireSuccess(command, reply);
    if (reply instanceof Reply.Bytes bytes) {
      byte[] value = bytes.value();
      return value == null ? new byte[0] : value;
    }
    throw unexpected(command, "bytes", reply);
  }

  static List<byte[]> strings(Command command, Reply reply) {
    requireSuccess(command, reply);
    if (reply instanceof Reply.Strings strings) {
      return strings.values();
    }
    throw unexpected(command, "strings", reply);
  }

  static List<Long> numbers(Command command, Reply reply, int count) {
    requireSuccess(command, reply);
    if (reply instanceof Reply.Numbers numbers && numbers.values().size() == count) {
      return numbers.values();
    }
    throw unexpected(command, count + " integers", reply);
  }

  /**
   * Checks that a command was carried out.
   *
   * @throws RedisRefusedException if the server refused it
   * @throws RedisUnavailableException if there is no reply
   */
  static void requireSuccess(Command command, Reply reply) {
    if (reply instanceof Reply.Refusal refusal) {
      throw new RedisRefusedException(command + ": refused by the server: " + refusal.message());
    }
    if (reply instanceof Reply.Missing missing) {
      throw new RedisUnavailableException(
          command + ": no reply: " + reason(missing.cause()), missing.cause());
    }
  }

  /** Returns the messages of an exception and of its root cause. */
  static String reason(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String message = thrown.getMessage() == null ? nameOf(thrown) : thrown.getMessage();
    String deepest = root.getMessage() == null ? nameOf(root) : root.getMessage();
    return message.contains(deepest) ? message : message + ": " + deepest;
  }

  private static String nameOf(Throwable thrown) {
    return thrown.getClass().getSimpleName();
  }

  static RedisRefusedException unexpected(Command command, String expected, Reply found) {
    return new RedisRefusedException(command + ": reply: must be " + expected + ", got " + found);
  }
}
