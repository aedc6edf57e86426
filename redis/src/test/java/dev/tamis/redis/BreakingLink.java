package dev.tamis.redis;

import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;

/** A link that breaks at the k-th command from when it is told to, for one thread. */
final class BreakingLink implements RedisLink {

  private final RedisLink link;
  private Break how = Break.LOSES_THE_REPLIES;
  private int commandsBefore = Integer.MAX_VALUE;
  private boolean isBroken;
  private boolean isDown;

  BreakingLink(RedisLink link) {
    this.link = link;
  }

  /** What becomes of the call with the command that it breaks at, and of those after it. */
  enum Break {
    /** The process is killed before it sends the command. */
    DIES(false, false),
    /** The call reaches the server, its replies do not come, and the next call is fine. */
    LOSES_THE_REPLIES(true, true),
    /** The rest of the call does not reach the server, and the next call is fine. */
    LOSES_THE_REQUESTS(false, true),
    /** The command and all later ones do not reach the server. */
    IS_CUT_BEFORE(false, false),
    /** The command reaches the server, its reply does not come, and later ones do not reach it. */
    IS_CUT_AFTER(true, false);

    private final boolean arrives;
    final boolean recovers;

    Break(boolean arrives, boolean recovers) {
      this.arrives = arrives;
      this.recovers = recovers;
    }
  }

  /** The end of a process, which nobody catches but the test. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  /** Breaks after so many more commands. */
  void breakAfter(int commands, Break how) {
    this.commandsBefore = commands;
    this.how = how;
  }

  /** Returns whether it came so far. */
  boolean isBroken() {
    return isBroken;
  }

  @Override
  public List<Reply> send(List<Command> commands) {
    if (isDown) {
      return lost(commands.size(), false);
    }
    if (isBroken || commands.size() <= commandsBefore) {
      commandsBefore -= isBroken ? 0 : commands.size();
      return link.send(commands);
    }
    isBroken = true;
    isDown = !how.recovers;
    int run = how.arrives ? (how.recovers ? commands.size() : commandsBefore + 1) : commandsBefore;
    List<Reply> replies = new ArrayList<>(link.send(commands.subList(0, run)));
    replies.subList(commandsBefore, run).clear();
    replies.addAll(lost(commands.size() - commandsBefore, true));
    return replies;
  }

  private List<Reply> lost(int count, boolean mayHaveRun) {
    if (how == Break.DIES) {
      throw new Killed();
    }
    List<Reply> replies = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      replies.add(new Reply.Missing(mayHaveRun, new SocketException("cut on purpose")));
    }
    return replies;
  }

  @Override
  public void close() {
    link.close();
  }
}
