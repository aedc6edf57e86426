package dev.tamis.redis;

import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/** A link that carries everything out and loses replies when told to, for one thread. */
final class Saboteur implements RedisLink {

  private final RedisLink link;
  private final List<String> sent = new ArrayList<>();
  private int putsBefore = Integer.MAX_VALUE;
  private int callsToLose;
  private boolean losingLookUps;
  private boolean losingAfterPuts;
  private boolean refusing;

  Saboteur(RedisLink link) {
    this.link = link;
  }

  /** Loses the replies of all puts but the next so many. */
  void loseRepliesFrom(int puts) {
    putsBefore = puts;
  }

  /** Has all puts refused but the next so many. */
  void refuseFrom(int puts) {
    putsBefore = puts;
    refusing = true;
  }

  /** Loses all replies of the next calls. */
  void loseRepliesOfNextCalls(int calls) {
    callsToLose = calls;
  }

  /** Loses the replies of all that only looks. */
  void loseRepliesOfLookUps(boolean losing) {
    losingLookUps = losing;
  }

  /** Loses the replies of all that only looks, once something was put. */
  void loseRepliesOfLookUpsAfterPuts(boolean losing) {
    losingAfterPuts = losing;
    losingLookUps = false;
  }

  long sent(String name) {
    return sent.stream().filter(name::equals).count();
  }

  @Override
  public List<Reply> send(List<Command> commands) {
    List<Reply> replies = new ArrayList<>(link.send(commands));
    boolean loseAll = callsToLose > 0;
    callsToLose -= loseAll ? 1 : 0;
    for (int i = 0; i < replies.size(); i++) {
      sent.add(commands.get(i).name());
      boolean isPut = commands.get(i).name().equals("BITFIELD");
      boolean lookUp = losingLookUps && commands.get(i).isReadOnly();
      if (loseAll || lookUp || (isPut && putsBefore <= 0)) {
        replies.set(
            i,
            refusing
                ? new Reply.Refusal("OOM on purpose")
                : new Reply.Missing(true, new SocketTimeoutException("lost on purpose")));
      }
      losingLookUps |= losingAfterPuts && isPut;
      putsBefore -= isPut && putsBefore > 0 ? 1 : 0;
    }
    return replies;
  }

  @Override
  public void close() {
    link.close();
  }
}
