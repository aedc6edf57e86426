package dev.tamis.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;

/** The persistence of a server, which decides what a filter loses when the server is killed. */
public enum RedisPersistence {
  /** Nothing: the filter is lost, which the next call detects. */
  NONE,
  /**
   * Snapshots, the default: all puts since the last one are lost silently. Also where the server
   * does not say whether it takes any.
   */
  SNAPSHOTS,
  /** An append-only file: the puts of the last seconds are lost silently. */
  APPEND_ONLY_FILE,
  /** An append-only file that is flushed before each reply: nothing is lost. */
  APPEND_ONLY_FILE_ALWAYS,
  /** The server does not say: it is loading its data, or {@code INFO} is not permitted. */
  UNKNOWN;

  /** Returns whether a crash of the server may lose many puts without any exception. */
  public boolean losesSilently() {
    return this == SNAPSHOTS;
  }

  /** Queries the server with the first shard of a filter. */
  static RedisPersistence of(Server server, Shards shards) {
    byte[] key = shards.key(0);
    Command info = Command.read("INFO", key, CommandTokens.of("persistence"));
    if (!(server.send(List.of(info)).get(0) instanceof Reply.Bytes bytes)
        || bytes.value() == null) {
      return UNKNOWN;
    }
    String text = new String(bytes.value(), UTF_8);
    if (text.contains("aof_enabled:1")) {
      return setting(server, key, "appendfsync").equals("always")
          ? APPEND_ONLY_FILE_ALWAYS
          : APPEND_ONLY_FILE;
    }
    if (text.contains("aof_enabled:0") && !text.contains("\nloading:1")) {
      return setting(server, key, "save").isEmpty() ? NONE : SNAPSHOTS;
    }
    return UNKNOWN;
  }

  /** Returns a setting of the server, or its name if the server does not say. */
  private static String setting(Server server, byte[] key, String name) {
    Command get = Command.read("CONFIG", key, CommandTokens.of("GET"), CommandTokens.of(name));
    return server.send(List.of(get)).get(0) instanceof Reply.Strings found
            && found.values().size() == 2
        ? new String(found.values().get(1), UTF_8)
        : name;
  }
}
