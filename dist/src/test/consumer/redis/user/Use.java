package user;

import dev.tamis.redis.RedisBloomFilter;
import dev.tamis.redis.RedisFilterException;

/** Without a client, which is optional: what needs none loads all the same. */
final class Use {
  public static void main(String[] args) throws Exception {
    Class.forName(RedisBloomFilter.class.getName());
    System.out.println(
        "true "
            + Exception.class.isAssignableFrom(RedisBloomFilter.class)
            + " "
            + Exception.class.isAssignableFrom(RedisFilterException.class));
  }
}
