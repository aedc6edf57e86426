package dev.tamis.redis;

import java.net.URI;
import java.time.Duration;
import java.util.Set;

/** The client libraries that there is a link by. */
enum LinkKind {
  JEDIS {
    @Override
    RedisLink to(URI server) {
      return JedisLink.to(server, TIMEOUT, 16);
    }

    @Override
    RedisLink toCluster(Set<URI> servers) {
      return JedisLink.toCluster(servers, TIMEOUT, 16);
    }
  },

  LETTUCE {
    @Override
    RedisLink to(URI server) {
      return LettuceLink.to(server, TIMEOUT);
    }

    @Override
    RedisLink toCluster(Set<URI> servers) {
      return LettuceLink.toCluster(servers, TIMEOUT);
    }
  };

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  abstract RedisLink to(URI server);

  abstract RedisLink toCluster(Set<URI> servers);
}
