package dev.tamis.redis;

import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.Jedis;

/** How far a replica is. */
final class Replication {

  private static final Pattern AT_MASTER = Pattern.compile("master_repl_offset:(\\d+)");
  private static final Pattern AT_REPLICA = Pattern.compile("slave_repl_offset:(\\d+)");

  private Replication() {}

  /** Returns when the replica has all that the master has carried out so far. */
  static void untilCaughtUp(URI master, URI replica) {
    try (Jedis from = new Jedis(master);
        Jedis to = new Jedis(replica)) {
      long wanted = offset(AT_MASTER, from.info("replication"));
      String state = to.info("replication");
      while (!state.contains("master_link_status:up") || offset(AT_REPLICA, state) < wanted) {
        Thread.onSpinWait();
        state = to.info("replication");
      }
    }
  }

  private static long offset(Pattern field, String info) {
    Matcher matcher = field.matcher(info);
    return matcher.find() ? Long.parseLong(matcher.group(1)) : -1;
  }
}
