package dev.tamis.redis;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toMap;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.HashedMutableFilter;
import dev.tamis.Traits;
import dev.tamis.hash.BoundHasher;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * Measures links and filters through Micrometer, which the application provides.
 *
 * <p>A measured link or filter behaves like the original. Every meter has the tag {@code name}.
 *
 * <p>A link has:
 *
 * <ul>
 *   <li>{@code tamis.redis.calls}, a timer of round trips, each with up to a few hundred commands
 *   <li>{@code tamis.redis.commands}, with {@code result} one of {@code replied}, {@code refused},
 *       {@code unsent} and {@code uncertain}: no reply, although it may have run
 *   <li>{@code tamis.redis.retries}, round trips repeated because a reply to a lookup was missing
 * </ul>
 *
 * <p>A filter has:
 *
 * <ul>
 *   <li>{@code tamis.redis.filter}, a timer, with {@code operation} one of {@code put} and {@code
 *       query}; a bulk call counts once
 *   <li>{@code tamis.redis.filter.failures}, with {@code kind} one of {@code lost}, {@code
 *       uncertain}, {@code unavailable} and {@code refused}
 * </ul>
 */
public final class RedisMetrics {

  private RedisMetrics() {}

  /** Returns a link that measures another one, which it closes when it is closed. */
  public static RedisLink link(MeterRegistry registry, String name, RedisLink link) {
    return new MeasuredLink(new LinkMeters(registry, name), link);
  }

  /** Returns a link that measures another one, which it closes when it is closed. */
  public static AsyncRedisLink asyncLink(MeterRegistry registry, String name, AsyncRedisLink link) {
    return new AsyncMeasuredLink(new LinkMeters(registry, name), link);
  }

  /** Returns a view of a plain filter or a window that measures its puts and lookups. */
  public static <T> HashedMutableFilter<T> filter(
      MeterRegistry registry, String name, HashedMutableFilter<T> filter) {
    return new MeasuredFilter<>(registry, name, filter);
  }

  /** Returns a counter for each value of a tag, by the value. */
  private static Map<String, Counter> counters(
      MeterRegistry registry,
      String meter,
      String description,
      Tags tags,
      String tag,
      String... values) {
    return Stream.of(values)
        .collect(
            toMap(
                value -> value,
                value ->
                    Counter.builder(meter)
                        .description(description)
                        .tags(tags.and(tag, value))
                        .register(registry)));
  }

  private static void count(Map<String, Counter> counters, String value) {
    requireNonNull(counters.get(value), value).increment();
  }

  private static final class LinkMeters {

    private final MeterRegistry registry;
    private final Timer calls;
    private final Map<String, Counter> commands;
    private final Counter retries;

    LinkMeters(MeterRegistry registry, String name) {
      this.registry = requireNonNull(registry, "registry");
      Tags tags = Tags.of("name", name);
      this.calls =
          Timer.builder("tamis.redis.calls")
              .description("Round trips to the server")
              .tags(tags)
              .register(registry);
      this.commands =
          counters(
              registry,
              "tamis.redis.commands",
              "Commands by their outcome",
              tags,
              "result",
              "replied",
              "refused",
              "unsent",
              "uncertain");
      this.retries =
          Counter.builder("tamis.redis.retries")
              .description("Round trips repeated because a reply to a lookup was missing")
              .tags(tags)
              .register(registry);
    }

    Timer.Sample start() {
      return Timer.start(registry);
    }

    void end(Timer.Sample sample, List<Reply> replies) {
      long unused = sample.stop(calls);
      for (Reply reply : replies) {
        count(commands, result(reply));
      }
    }

    private static String result(Reply reply) {
      if (reply instanceof Reply.Missing missing) {
        return missing.mayHaveRun() ? "uncertain" : "unsent";
      }
      return reply instanceof Reply.Refusal ? "refused" : "replied";
    }
  }

  private static class MeasuredLink implements RedisLink {

    final LinkMeters meters;
    private final RedisLink link;

    MeasuredLink(LinkMeters meters, RedisLink link) {
      this.meters = meters;
      this.link = requireNonNull(link, "link");
    }

    @Override
    public List<Reply> send(List<Command> commands) {
      Timer.Sample sample = meters.start();
      List<Reply> replies = link.send(commands);
      meters.end(sample, replies);
      return replies;
    }

    @Override
    public List<Reply> sendAgain(List<Command> commands) {
      meters.retries.increment();
      return send(commands);
    }

    @Override
    public void close() {
      link.close();
    }
  }

  private static final class AsyncMeasuredLink extends MeasuredLink implements AsyncRedisLink {

    private final AsyncRedisLink link;

    AsyncMeasuredLink(LinkMeters meters, AsyncRedisLink link) {
      super(meters, link);
      this.link = link;
    }

    @Override
    public CompletionStage<List<Reply>> sendAsync(List<Command> commands) {
      Timer.Sample sample = meters.start();
      return link.sendAsync(commands)
          .thenApply(
              replies -> {
                meters.end(sample, replies);
                return replies;
              });
    }

    @Override
    public CompletionStage<List<Reply>> sendAgainAsync(List<Command> commands) {
      meters.retries.increment();
      return sendAsync(commands);
    }
  }

  private static final class MeasuredFilter<T> implements HashedMutableFilter<T> {

    private final HashedMutableFilter<T> filter;
    private final Timer puts;
    private final Timer queries;
    private final Map<String, Counter> failures;

    MeasuredFilter(MeterRegistry registry, String name, HashedMutableFilter<T> filter) {
      this.filter = requireNonNull(filter, "filter");
      Tags tags = Tags.of("name", name);
      this.puts = timer(registry, tags.and("operation", "put"));
      this.queries = timer(registry, tags.and("operation", "query"));
      this.failures =
          counters(
              registry,
              "tamis.redis.filter.failures",
              "Puts and lookups that threw",
              tags,
              "kind",
              "lost",
              "uncertain",
              "unavailable",
              "refused");
    }

    private static Timer timer(MeterRegistry registry, Tags tags) {
      return Timer.builder("tamis.redis.filter")
          .description("Puts and lookups, failed ones too")
          .tags(tags)
          .register(registry);
    }

    private void measure(Timer timer, Runnable call) {
      try {
        timer.record(call);
      } catch (RedisFilterException e) {
        count(failures, kind(e));
        throw e;
      }
    }

    private static String kind(RedisFilterException e) {
      if (e instanceof FilterLostException || e instanceof FilterMismatchException) {
        return "lost";
      }
      if (e instanceof UncertainPutException) {
        return "uncertain";
      }
      return e instanceof RedisRefusedException ? "refused" : "unavailable";
    }

    @Override
    public boolean putHash(long hash) {
      boolean[] isNew = new boolean[1];
      measure(puts, () -> isNew[0] = filter.putHash(hash));
      return isNew[0];
    }

    @Override
    public void putHashes(long[] hashes, int count, boolean[] isNew) {
      measure(puts, () -> filter.putHashes(hashes, count, isNew));
    }

    @Override
    public boolean mightContainHash(long hash) {
      boolean[] answers = new boolean[1];
      measure(queries, () -> answers[0] = filter.mightContainHash(hash));
      return answers[0];
    }

    @Override
    public void mightContainHashes(long[] hashes, int count, boolean[] answers) {
      measure(queries, () -> filter.mightContainHashes(hashes, count, answers));
    }

    @Override
    public BoundHasher<T> hasher() {
      return filter.hasher();
    }

    @Override
    public long acceptedKeys() {
      return filter.acceptedKeys();
    }

    @Override
    public double expectedFpp() {
      return filter.expectedFpp();
    }

    @Override
    public Estimate approximateElementCount(Confidence confidence) {
      return filter.approximateElementCount(confidence);
    }

    @Override
    public long bitSize() {
      return filter.bitSize();
    }

    @Override
    public Traits traits() {
      return filter.traits();
    }
  }
}
