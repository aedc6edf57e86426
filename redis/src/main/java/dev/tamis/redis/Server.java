package dev.tamis.redis;

import java.util.ArrayList;
import java.util.List;

/** Sends commands by a link, asks again where that is harmless, and makes errors of bad replies. */
final class Server {

  /** Commands that are under way together: where more bring nothing, and memory is bounded. */
  static final int BATCH = 256;

  private final RedisLink link;

  Server(RedisLink link) {
    this.link = link;
  }

  /** Sends commands, however many, and returns the replies, whatever they are. */
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
   * Sends one batch; what only looks is sent again, once and all together, if a reply is missing.
   */
  private List<Reply> sendBatch(List<Command> commands) {
    List<Reply> replies = link.send(commands);
    boolean again =
        replies.stream().anyMatch(Reply.Missing.class::isInstance)
            && commands.stream().allMatch(Command::isReadOnly);
    return again ? link.send(commands) : replies;
  }

  /** Sends one command and returns the integer that it answers. */
  long number(Command command) {
    return number(command, send(List.of(command)).get(0));
  }

  /** Sends one command and returns the bytes that it answers, none if there is nothing. */
  byte[] bytes(Command command) {
    return bytes(command, send(List.of(command)).get(0));
  }

  /** Sends commands that must all succeed, whatever they answer. */
  void run(List<Command> commands) {
    List<Reply> replies = send(commands);
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

  static byte[] bytes(Command command, Reply reply) {
    requireSuccess(command, reply);
    if (reply instanceof Reply.Bytes bytes) {
      byte[] value = bytes.value();
      return value == null ? new byte[0] : value;
    }
    throw unexpected(command, "bytes", reply);
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
      throw new RedisRefusedException(command + " was refused: " + refusal.message());
    }
    if (reply instanceof Reply.Missing missing) {
      throw new RedisUnavailableException(
          "no reply to " + command + ": " + missing.cause().getMessage(), missing.cause());
    }
  }

  private static RedisRefusedException unexpected(Command command, String expected, Reply found) {
    return new RedisRefusedException(
        command + " should have been answered by " + expected + ", and was by " + found);
  }
}
