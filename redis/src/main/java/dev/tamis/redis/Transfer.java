package dev.tamis.redis;

import dev.tamis.filter.BloomFilter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Uploads and downloads filters, in chunks. */
final class Transfer {

  /** Small enough for the server to write without blocking, and for a client to buffer. */
  static final int CHUNK_BYTES = 1 << 16;

  /** Chunks in flight together. */
  static final int CHUNKS = 16;

  private final Server server;

  Transfer(Server server) {
    this.server = server;
  }

  /** Finds the replacement of an epoch, or that it is lost. */
  @FunctionalInterface
  interface Follower {
    Epoch follow(Epoch seen, int shard, long found);
  }

  /**
   * Writes all bits, in the order of a file's payload.
   *
   * @throws IOException if {@code out} fails, or the filter was replaced concurrently
   */
  void download(Epoch from, OutputStream out, Follower follower) throws IOException {
    Shards shards = from.shards();
    for (int shard = 0; shard < shards.count(); shard++) {
      long bytes = shards.bytesOf(shard);
      for (long start = 0; start < bytes; start += (long) CHUNK_BYTES * CHUNKS) {
        download(
            from,
            shard,
            start,
            Math.min(bytes, start + (long) CHUNK_BYTES * CHUNKS),
            out,
            follower);
      }
    }
  }

  private void download(
      Epoch from, int shard, long start, long end, OutputStream out, Follower follower)
      throws IOException {
    byte[] key = from.shards().key(shard);
    List<Command> commands = new ArrayList<>();
    for (long at = start; at < end; at += CHUNK_BYTES) {
      long last = Math.min(end, at + CHUNK_BYTES) - 1;
      byte[] first = CommandTokens.of(Header.BYTES + at);
      commands.add(
          Command.read("GETRANGE", key, key, first, CommandTokens.of(Header.BYTES + last)));
    }
    commands.add(from.readStamp(shard));
    List<Reply> replies = server.send(commands);
    int stampAt = commands.size() - 1;
    long found = Header.readStamp(Server.bytes(commands.get(stampAt), replies.get(stampAt)));
    if (found != from.stamp(shard)) {
      follower.follow(from, shard, found);
      throw new IOException("filter: was replaced during the download; download it again");
    }
    long left = end - start;
    for (int i = 0; i < stampAt; i++) {
      byte[] chunk = Server.bytes(commands.get(i), replies.get(i));
      out.write(chunk);
      left -= chunk.length;
    }
    if (left != 0) {
      throw new IOException(
          "key "
              + from.shards().printedKey(shard)
              + ": length: is "
              + left
              + " bytes too short; recreate the filter");
    }
  }

  /**
   * Merges a filter with the same parameters. Its bits are uploaded under temporary keys first, so
   * that each shard is merged atomically.
   *
   * @throws UncertainPutException if a part may have been merged
   */
  void merge(BloomFilter<?> filter, Epoch to, String name, Follower follower) {
    Shards live = to.shards();
    Shards incoming =
        Shards.incoming(to.header().sizing().shape(), name, live.count(), ShardStore.newEpoch());
    boolean merging = false;
    try {
      ShardStore.allocate(server, incoming, to.header());
      Upload upload = new Upload(server, incoming);
      filter.writeTo(upload);
      upload.finish();
      merging = true;
      for (int shard = 0; shard < live.count(); shard++) {
        mergeShard(to, incoming, shard, follower);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("an upload throws no IOException", e);
    } catch (RedisUnavailableException | RedisRefusedException e) {
      discard(incoming, e);
      if (merging) {
        throw new UncertainPutException(
            "filter " + name + ": may be merged in part; merge again: " + e.getMessage(), 0, e);
      }
      throw e;
    } catch (RedisFilterException e) {
      discard(incoming, e);
      throw e;
    }
  }

  private void mergeShard(Epoch to, Shards incoming, int shard, Follower follower) {
    byte[] live = to.shards().key(shard);
    byte[] key = incoming.key(shard);
    List<Command> commands =
        List.of(
            Command.write("BITOP", live, CommandTokens.OR, live, live, key),
            Upload.readMark(key),
            to.readStamp(shard),
            Command.write("UNLINK", key, key));
    List<Reply> replies = server.send(commands);
    for (int i = 0; i < commands.size(); i++) {
      Server.requireSuccess(commands.get(i), replies.get(i));
    }
    if (!Upload.isMark(Server.bytes(commands.get(1), replies.get(1)))) {
      throw new RedisRefusedException(
          "key " + incoming.printedKey(shard) + ": was dropped before it was merged; merge again");
    }
    long found = Header.readStamp(Server.bytes(commands.get(2), replies.get(2)));
    if (found != to.stamp(shard)) {
      Epoch next = follower.follow(to, shard, found);
      if (!next.placesAs(to) || found != next.stamp(shard)) {
        throw new RedisRefusedException("filter: was replaced during the merge; merge again");
      }
    }
  }

  private void discard(Shards incoming, RedisFilterException failure) {
    try {
      ShardStore.unlink(server, incoming);
    } catch (RedisFilterException e) {
      failure.addSuppressed(e);
    }
  }
}
