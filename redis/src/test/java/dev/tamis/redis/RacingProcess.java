package dev.tamis.redis;

import dev.tamis.Keys;
import dev.tamis.hash.KeyHasher;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;

/** A process that puts keys, one by one and many at once, and writes which of them were new. */
final class RacingProcess {

  private RacingProcess() {}

  static Process start(URI server, String name, int keys) throws IOException {
    return new ProcessBuilder(
            ProcessHandle.current().info().command().orElse("java"),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            RacingProcess.class.getName(),
            server.toString(),
            name,
            Integer.toString(keys))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** Takes the address, the name and the number of keys. */
  public static void main(String[] arguments) throws IOException {
    int keys = Integer.parseInt(arguments[2]);
    long[] hashes = Keys.hashes(1, keys).toArray();
    BitSet wins = new BitSet();
    try (JedisLink link = JedisLink.to(URI.create(arguments[0]), Duration.ofSeconds(20), 1)) {
      RedisBloomFilter<Long> filter = RedisBloomFilter.open(link, arguments[1], KeyHasher.longs());
      int single = keys / 4;
      for (int i = 0; i < single; i++) {
        wins.set(i, filter.putHash(hashes[i]));
      }
      long[] rest = Arrays.copyOfRange(hashes, single, keys);
      boolean[] isNew = new boolean[rest.length];
      filter.putHashes(rest, rest.length, isNew);
      for (int i = 0; i < rest.length; i++) {
        wins.set(single + i, isNew[i]);
      }
    }
    new FileOutputStream(FileDescriptor.out).write(wins.toByteArray());
  }
}
