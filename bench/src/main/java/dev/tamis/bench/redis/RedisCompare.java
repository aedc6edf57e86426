package dev.tamis.bench.redis;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import redis.clients.jedis.Jedis;

/**
 * Prints what adds and lookups cost compared with Redisson's filter, on one server, as tables in
 * Markdown.
 *
 * <pre>
 * bench/redis-compare [SECONDS [ADDRESS]]
 * </pre>
 *
 * <p>Each cell is the median of five rounds; in each the filters alternate for SECONDS, 1 by
 * default, after half as long to warm up; with 1 the whole takes some five minutes. The server is
 * the one that embedded-redis carries, started for this, or the one at ADDRESS, which should be
 * idle and is flushed.
 */
public final class RedisCompare {

  private static final long EXPECTED_KEYS = 20_000_000;
  private static final double FPP = 0.01;
  private static final int MANY = 100;
  private static final int ROUNDS = 5;
  private static final int RACE_KEYS = 20_000;
  private static final int RACE_CLIENTS = 4;

  private final URI server;
  private final double seconds;
  private final AtomicLong nextKey = new AtomicLong();

  private RedisCompare(URI server, double seconds) {
    this.server = server;
    this.seconds = seconds;
  }

  /** Prints the tables. */
  public static void main(String[] args) throws Exception {
    double seconds = args.length > 0 ? Double.parseDouble(args[0]) : 1;
    MeasuredServer.measure(args, server -> new RedisCompare(server, seconds).run());
  }

  /** Makes a filter in a server. */
  @FunctionalInterface
  private interface Maker {
    Peer make(URI server, String name, long keys, double fpp);
  }

  /** A call that is measured. */
  private enum Call {
    ADD("add", 1),
    ADD_MANY("add 100", MANY),
    CONTAINS("contains", 1),
    CONTAINS_MANY("contains 100", MANY);

    private final String label;
    private final int keys;

    Call(String label, int keys) {
      this.label = label;
      this.keys = keys;
    }

    void run(Peer peer, long first) {
      switch (this) {
        case ADD -> peer.add(key(first));
        case CONTAINS -> peer.contains(key(first));
        case ADD_MANY -> peer.add(keys(first));
        case CONTAINS_MANY -> peer.contains(keys(first));
      }
    }

    private static List<String> keys(long first) {
      List<String> keys = new ArrayList<>(MANY);
      for (int i = 0; i < MANY; i++) {
        keys.add(key(first + i));
      }
      return keys;
    }
  }

  private static String key(long number) {
    return "https://example.org/catalogue/items?page=" + number;
  }

  private void run() throws Exception {
    Map<String, Maker> makers = new LinkedHashMap<>();
    makers.put("Tamis, Jedis", Peer::jedis);
    makers.put("Tamis, Jedis, bits of a file", Peer::asInFile);
    makers.put("Tamis, Lettuce", Peer::lettuce);
    makers.put("Redisson", Peer::redisson);
    Map<String, Maker> withPing = new LinkedHashMap<>(makers);
    withPing.put("PING and no filter, Jedis", Peer::ping);
    System.out.printf(
        Locale.ROOT,
        "Server %s; %,d expected keys at %s.%n%n",
        info().getOrDefault("redis_version", "?"),
        EXPECTED_KEYS,
        FPP);
    System.out.println(
        "| call | clients | filter | keys/s | server CPU, µs a key | bytes a key, to and from the"
            + " server | round trips a key | compared with Redisson |");
    System.out.println("|---|---:|---|---:|---:|---:|---:|---:|");
    for (int clients : new int[] {1, 4}) {
      for (Call call : Call.values()) {
        table(call.keys == 1 ? withPing : makers, call, clients);
      }
    }
    System.out.println();
    System.out.println("| racing for the same keys | keys won twice | keys won by nobody |");
    System.out.println("|---|---:|---:|");
    for (Map.Entry<String, Maker> maker : makers.entrySet()) {
      race(maker.getKey(), maker.getValue());
    }
  }

  private void table(Map<String, Maker> makers, Call call, int clients) throws Exception {
    Map<String, List<Figures>> rounds = new LinkedHashMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      for (Map.Entry<String, Maker> maker : makers.entrySet()) {
        flush();
        rounds
            .computeIfAbsent(maker.getKey(), any -> new ArrayList<>())
            .add(measure(maker.getValue(), call, clients));
      }
    }
    Map<String, Figures> rows = new LinkedHashMap<>();
    rounds.forEach((name, figures) -> rows.put(name, median(figures)));
    double redisson = requireNonNull(rows.get("Redisson"), "Redisson").keysPerSecond();
    rows.forEach(
        (name, row) ->
            System.out.printf(
                Locale.ROOT,
                "| %s | %d | %s | %,.0f | %.2f | %.0f, %.0f | %.2f | %.1f× |%n",
                call.label,
                clients,
                name,
                row.keysPerSecond(),
                row.cpuMicros(),
                row.bytesIn(),
                row.bytesOut(),
                row.roundTrips(),
                row.keysPerSecond() / redisson));
  }

  private static Figures median(List<Figures> figures) {
    return figures.stream()
        .sorted(Comparator.comparingDouble(Figures::keysPerSecond))
        .toList()
        .get(figures.size() / 2);
  }

  /** What one cell of the table says, all for each key but the first. */
  private record Figures(
      double keysPerSecond, double cpuMicros, double bytesIn, double bytesOut, double roundTrips) {}

  private Figures measure(Maker maker, Call call, int clients) throws Exception {
    try (Peer peer = maker.make(server, "bench", EXPECTED_KEYS, FPP)) {
      work(peer, call, clients, seconds / 2);
      Map<String, String> before = info();
      long trips = peer.roundTrips();
      long start = System.nanoTime();
      double keys = work(peer, call, clients, seconds);
      double elapsed = (System.nanoTime() - start) / 1e9;
      trips = peer.roundTrips() - trips;
      Map<String, String> after = info();
      double cpu =
          difference(before, after, "used_cpu_user") + difference(before, after, "used_cpu_sys");
      return new Figures(
          keys / elapsed,
          cpu * 1e6 / keys,
          difference(before, after, "total_net_input_bytes") / keys,
          difference(before, after, "total_net_output_bytes") / keys,
          trips / keys);
    }
  }

  /** Makes calls from {@code clients} threads for a time and returns the number of keys. */
  private long work(Peer peer, Call call, int clients, double duration) throws Exception {
    AtomicLong keys = new AtomicLong();
    long end = System.nanoTime() + (long) (duration * 1e9);
    inThreads(
        clients,
        thread -> {
          while (System.nanoTime() < end) {
            call.run(peer, nextKey.getAndAdd(call.keys));
            keys.addAndGet(call.keys);
          }
        });
    return keys.get();
  }

  private void race(String name, Maker maker) throws Exception {
    flush();
    AtomicIntegerArray wins = new AtomicIntegerArray(RACE_KEYS);
    CyclicBarrier start = new CyclicBarrier(RACE_CLIENTS);
    inThreads(
        RACE_CLIENTS,
        thread -> {
          try (Peer peer = maker.make(server, "race", RACE_KEYS, FPP)) {
            start.await();
            for (int i = 0; i < RACE_KEYS; i++) {
              if (peer.add(key(i))) {
                wins.incrementAndGet(i);
              }
            }
          }
        });
    System.out.printf(
        Locale.ROOT,
        "| %s, %d clients, %,d keys | %d | %d |%n",
        name,
        RACE_CLIENTS,
        RACE_KEYS,
        IntStream.range(0, RACE_KEYS).filter(i -> wins.get(i) > 1).count(),
        IntStream.range(0, RACE_KEYS).filter(i -> wins.get(i) == 0).count());
  }

  /** What a thread does. */
  @FunctionalInterface
  private interface Work {
    void run(int thread) throws Exception;
  }

  private static void inThreads(int threads, Work work) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> runs = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        runs.add(
            executor.submit(
                () -> {
                  work.run(thread);
                  return null;
                }));
      }
      for (Future<?> run : runs) {
        run.get();
      }
    } finally {
      executor.shutdownNow();
    }
  }

  private void flush() {
    try (Jedis jedis = new Jedis(server)) {
      jedis.flushAll();
    }
  }

  private Map<String, String> info() {
    try (Jedis jedis = new Jedis(server)) {
      Map<String, String> fields = new LinkedHashMap<>();
      jedis
          .info()
          .lines()
          .map(line -> line.split(":", 2))
          .filter(parts -> parts.length == 2)
          .forEach(parts -> fields.put(parts[0], parts[1]));
      return fields;
    }
  }

  private static double difference(
      Map<String, String> before, Map<String, String> after, String field) {
    return number(after, field) - number(before, field);
  }

  private static double number(Map<String, String> info, String field) {
    return Double.parseDouble(requireNonNull(info.get(field), field));
  }
}
