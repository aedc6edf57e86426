package dev.tamis.redis;

import dev.tamis.filter.BloomFilter;
import dev.tamis.format.Frame;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Uploads and downloads filters, in chunks. */
final class Transfer {

  /** Small enough for the server to write without blocking, and for a client to buffer. */
  private static final int CHUNK_BYTES = 1 << 16;

  private static final int CHUNKS = 16;

  private final Server server;

  Transfer(Server server) {
    this.server = server;
  }

  /**
   * Writes all bits, in the order of a file's payload.
   *
   * @throws IOException if {@code out} fails, or the filter was replaced concurrently
   */
  void download(Epoch from, OutputStream out, CurrentEpoch current) throws IOException {
    Shards shards = from.shards();
    for (int shard = 0; shard < shards.count(); shard++) {
      long bytes = shards.bytesOf(shard);
      for (long start = 0; start < bytes; start += (long) CHUNK_BYTES * CHUNKS) {
        long end = Math.min(bytes, start + (long) CHUNK_BYTES * CHUNKS);
        download(from, shard, start, end, out, current);
      }
    }
  }

  private void download(
      Epoch from, int shard, long start, long end, OutputStream out, CurrentEpoch current)
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
    long found = Epoch.stamp(commands.get(stampAt), replies.get(stampAt));
    if (found != from.stamp(shard)) {
      current.follow(from, shard, found);
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
  void merge(BloomFilter<?> filter, Epoch to, String name, CurrentEpoch current) {
    Shards live = to.shards();
    Shards incoming =
        Shards.incoming(to.header().sizing().shape(), name, live.count(), ShardStore.newEpoch());
    boolean merging = false;
    try {
      ShardStore.allocate(server, incoming, to.header(), new byte[1]); // the end is not merged
      Upload upload = new Upload(server, incoming);
      filter.writeTo(upload);
      upload.finish();
      merging = true;
      for (int shard = 0; shard < live.count(); shard++) {
        mergeShard(to, incoming, shard, current);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("an upload throws no IOException", e);
    } catch (RedisUnavailableException | RedisRefusedException e) {
      ShardStore.discard(server, incoming, e);
      if (merging) {
        throw new UncertainPutException(
            "filter " + name + ": may be merged in part; merge again: " + e.getMessage(), 0, e);
      }
      throw e;
    } catch (RedisFilterException e) {
      ShardStore.discard(server, incoming, e);
      throw e;
    }
  }

  private void mergeShard(Epoch to, Shards incoming, int shard, CurrentEpoch current) {
    byte[] live = to.shards().key(shard);
    byte[] key = incoming.key(shard);
    List<Command> commands =
        List.of(
            Command.write("BITOP", live, CommandTokens.OR, live, live, key),
            Upload.readMark(key),
            to.readStamp(shard),
            Command.write("UNLINK", key, key));
    List<Reply> replies = server.send(commands);
    Server.requireSuccess(commands, replies);
    if (!Upload.isMark(Server.bytes(commands.get(1), replies.get(1)))) {
      throw new RedisRefusedException(
          "key " + incoming.printedKey(shard) + ": was dropped before it was merged; merge again");
    }
    long found = Epoch.stamp(commands.get(2), replies.get(2));
    if (found != to.stamp(shard)) {
      Epoch next = current.follow(to, shard, found);
      if (!next.placesAs(to) || found != next.stamp(shard)) {
        throw new RedisRefusedException("filter: was replaced during the merge; merge again");
      }
    }
  }

  /**
   * Receives the file of a filter and sends its payload to a server, split into shards.
   *
   * <p>The strings have zeros in place of a stamp, so that a merge into a filter that was lost in
   * the meantime does not create one. They have the magic and version of a header, which a merge
   * does not change, and which show that the server has not dropped the string before the merge.
   */
  private static final class Upload extends OutputStream {

    private final Server server;
    private final Shards shards;
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private final List<Command> commands = new ArrayList<>();
    private long toSkip = Frame.HEADER_BYTES;
    private long left;
    private int shard;
    private long at;
    private int filled;

    Upload(Server server, Shards shards) {
      this.server = server;
      this.shards = shards;
      this.left = shards.payloadBytes();
      for (int i = 0; i < shards.count(); i++) {
        byte[] key = shards.key(i);
        commands.add(
            Command.write("SETRANGE", key, key, CommandTokens.of(Header.MAGIC_AT), Header.mark()));
      }
      send();
    }

    static Command readMark(byte[] key) {
      byte[] last = CommandTokens.of(Header.MAGIC_AT + Header.mark().length - 1);
      return Command.read("GETRANGE", key, key, CommandTokens.of(Header.MAGIC_AT), last);
    }

    static boolean isMark(byte[] found) {
      return Arrays.equals(found, Header.mark());
    }

    @Override
    public void write(int value) {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      int from = offset + (int) Math.min(length, toSkip);
      toSkip -= from - offset;
      while (from < offset + length && left > 0) {
        long room = Math.min(chunk.length - filled, shards.bytesOf(shard) - at - filled);
        int count = (int) Math.min(room, offset + length - from);
        System.arraycopy(bytes, from, chunk, filled, count);
        filled += count;
        from += count;
        left -= count;
        if (filled == chunk.length || at + filled == shards.bytesOf(shard)) {
          addChunk();
        }
      }
    }

    private void addChunk() {
      byte[] key = shards.key(shard);
      byte[] bytes = Arrays.copyOf(chunk, filled);
      commands.add(Command.write("SETRANGE", key, key, CommandTokens.of(Header.BYTES + at), bytes));
      at += filled;
      filled = 0;
      if (at == shards.bytesOf(shard)) {
        shard++;
        at = 0;
      }
      if (commands.size() >= CHUNKS) {
        send();
      }
    }

    private void send() {
      server.run(commands);
      commands.clear();
    }

    void finish() {
      if (left != 0) {
        throw new IllegalStateException(left + " bytes of the filter are missing");
      }
      send();
    }
  }
}
