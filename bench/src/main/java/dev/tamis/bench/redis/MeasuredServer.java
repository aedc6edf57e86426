package dev.tamis.bench.redis;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import redis.embedded.RedisServer;

/** The server that a benchmark measures: the one it was given, or else one started for it. */
final class MeasuredServer {

  private MeasuredServer() {}

  /** What is measured. */
  @FunctionalInterface
  interface Benchmark {
    void run(URI server) throws Exception;
  }

  /**
   * Runs a benchmark.
   *
   * @param args of the benchmark; the second, if there is one, is the address of the server
   */
  static void measure(String[] args, Benchmark benchmark) throws Exception {
    if (args.length > 1) {
      benchmark.run(URI.create(args[1]));
      return;
    }
    int port = freePort();
    RedisServer embedded =
        RedisServer.newRedisServer()
            .port(port)
            .setting("save \"\"")
            .setting("bind 127.0.0.1")
            .build();
    embedded.start();
    try {
      benchmark.run(URI.create("redis://127.0.0.1:" + port));
    } finally {
      embedded.stop();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
