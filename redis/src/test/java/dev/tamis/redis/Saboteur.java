package dev.tamis.redis;

import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A link that counts commands, and on request loses replies or is late; for one thread. */
final class Saboteur implements RedisLink {

  private final RedisLink link;
  private final List<String> sent = new ArrayList<>();
  private final List<Integer> roundTrips = new ArrayList<>();
  private @Nullable Runnable comingFirst;
  private int putsBefore = Integer.MAX_VALUE;
  private int callsToLose;
  private boolean losingLookUps;
  private boolean losingAfterPuts;
  private boolean refusing;

  Saboteur(RedisLink link) {
    this.link = link;
  }

  /** Loses the replies to all puts after this number of them. */
  void loseRepliesFrom(int puts) {
    putsBefore = puts;
  }

  /** Has all puts refused after this number of them. */
  void refuseFrom(int puts) {
    putsBefore = puts;
    refusing = true;
  }

  void loseRepliesOfNextCalls(int calls) {
    callsToLose = calls;
  }

  void loseRepliesOfLookUps(boolean losing) {
    losingLookUps = losing;
  }

  void loseRepliesOfLookUpsAfterPuts(boolean losing) {
    losingAfterPuts = losing;
    losingLookUps = false;
  }

  /** Runs this once, when the next put is on its way. */
  void beforeNextPut(Runnable comesFirst) {
    comingFirst = comesFirst;
  }

  long sent(String name) {
    return sent.stream().filter(name::equals).count();
  }

  /** Returns the number of commands in each round trip since the last call of this. */
  List<Integer> roundTrips() {
    List<Integer> result = List.copyOf(roundTrips);
    roundTrips.clear();
    return result;
  }

  @Override
  public List<Reply> send(List<Command> commands) {
    roundTrips.add(commands.size());
    Runnable first = comingFirst;
    if (first != null && commands.get(0).name().equals("BITFIELD")) {
      comingFirst = null;
      first.run();
    }
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
