package dev.tamis.redis;

import java.net.URI;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.MigrateParams;
import redis.clients.jedis.util.JedisClusterCRC16;

/** A slot on its way from one server to another, by the commands of the administrator. */
record MovingSlot(int number, Jedis from, Jedis to, String fromId, String toId)
    implements AutoCloseable {

  /** Finds the owner of the slot of a key, and another server. */
  static MovingSlot of(String key) {
    int number = JedisClusterCRC16.getSlot(CommandTokens.of(key));
    Jedis owner = null;
    Jedis other = null;
    for (URI uri : TestCluster.shared()) {
      Jedis node = new Jedis(uri);
      boolean owns = node.clusterCountKeysInSlot(number) > 0;
      if (owns && owner == null) {
        owner = node;
      } else if (!owns && other == null) {
        other = node;
      } else {
        node.close();
      }
    }
    if (owner == null || other == null) {
      throw new AssertionError("no server has the slot");
    }
    return new MovingSlot(number, owner, other, owner.clusterMyId(), other.clusterMyId());
  }

  void begin() {
    to.clusterSetSlotImporting(number, fromId);
    from.clusterSetSlotMigrating(number, toId);
  }

  void moveKeys(String... keys) {
    int port = to.getClient().getHostAndPort().getPort();
    from.migrate("127.0.0.1", port, 5_000, MigrateParams.migrateParams(), keys);
  }

  void end() {
    to.clusterSetSlotNode(number, toId);
    from.clusterSetSlotNode(number, toId);
  }

  @Override
  public void close() {
    from.close();
    to.close();
  }
}
