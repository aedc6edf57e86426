package dev.tamis.redis;

import java.net.URI;
import java.time.Duration;
import java.util.Set;

/** The client libraries that there is a link by. */
enum LinkKind {
  JEDIS {
    @Override
    RedisLink to(URI server, Duration timeout) {
      return JedisLink.to(server, timeout, 16);
    }

    @Override
    RedisLink toCluster(Set<URI> servers, Duration timeout) {
      return JedisLink.toCluster(servers, timeout, 16);
    }
  },

  LETTUCE {
    @Override
    RedisLink to(URI server, Duration timeout) {
      return LettuceLink.to(server, timeout);
    }

    @Override
    RedisLink toCluster(Set<URI> servers, Duration timeout) {
      return LettuceLink.toCluster(servers, timeout);
    }
  };

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  abstract RedisLink to(URI server, Duration timeout);

  abstract RedisLink toCluster(Set<URI> servers, Duration timeout);

  final RedisLink to(URI server) {
    return to(server, TIMEOUT);
  }

  final RedisLink toCluster(Set<URI> servers) {
    return toCluster(servers, TIMEOUT);
  }
}
