package dev.tamis.redis;

import dev.tamis.format.Frame;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Receives the file of a filter and sends its payload to a server, split into shards.
 *
 * <p>The strings have zeros in place of a stamp, so that a merge into a filter that was lost in the
 * meantime does not create one. They have the magic and version of a header, which a merge does not
 * change, and which show that the server has not dropped the string before the merge.
 */
final class Upload extends OutputStream {

  private final Server server;
  private final Shards shards;
  private final byte[] chunk = new byte[Transfer.CHUNK_BYTES];
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
    if (commands.size() >= Transfer.CHUNKS) {
      send();
    }
  }

  private void send() {
    server.run(commands);
    commands.clear();
  }

  /** Sends the remaining chunks. */
  void finish() {
    if (left != 0) {
      throw new IllegalStateException(left + " bytes of the filter are missing");
    }
    send();
  }
}
