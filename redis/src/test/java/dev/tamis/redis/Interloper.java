package dev.tamis.redis;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A link that counts round trips, and lets a test come in just before a put; for one thread. */
final class Interloper implements RedisLink {

  private final RedisLink link;
  private final List<Integer> sent = new ArrayList<>();
  private @Nullable Runnable comingIn;

  Interloper(RedisLink link) {
    this.link = link;
  }

  /** Runs this once, when the next put is on its way. */
  void beforeNextPut(Runnable comesIn) {
    comingIn = comesIn;
  }

  /** Returns the commands of each round trip since the last call of this. */
  List<Integer> sent() {
    List<Integer> result = List.copyOf(sent);
    sent.clear();
    return result;
  }

  @Override
  public List<Reply> send(List<Command> commands) {
    sent.add(commands.size());
    Runnable now = comingIn;
    if (now != null && commands.get(0).name().equals("BITFIELD")) {
      comingIn = null;
      now.run();
    }
    return link.send(commands);
  }

  @Override
  public void close() {
    link.close();
  }
}
