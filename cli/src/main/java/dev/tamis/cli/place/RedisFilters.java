package dev.tamis.cli.place;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tamis.HashedMutableFilter;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.KeyFile;
import dev.tamis.cli.console.Messages;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.report.Report;
import dev.tamis.file.FilterFile;
import dev.tamis.filter.BloomFilter;
import dev.tamis.format.Kind;
import dev.tamis.hash.KeyHasher;
import dev.tamis.redis.Command;
import dev.tamis.redis.FilterLostException;
import dev.tamis.redis.FilterMismatchException;
import dev.tamis.redis.JedisLink;
import dev.tamis.redis.RedisBloomFilter;
import dev.tamis.redis.RedisBloomFilterBuilder;
import dev.tamis.redis.RedisFilterException;
import dev.tamis.redis.RedisFilterList;
import dev.tamis.redis.RedisHealth;
import dev.tamis.redis.RedisPersistence;
import dev.tamis.redis.RedisWindowedBloomFilter;
import dev.tamis.redis.Reply;
import dev.tamis.redis.UncertainPutException;
import dev.tamis.sizing.Layout;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A connection to a server; the only class that loads the client library. */
public final class RedisFilters implements AutoCloseable {

  /** The message of the client if there is no server. */
  private static final String NO_CONNECTION = "Failed to connect to ";

  /** Lines per request: as many as the client has in flight. */
  public static final int BATCH = 256;

  private final RedisName place;
  private final JedisLink link;

  private RedisFilters(RedisName place, RedisPasswordOption password, Duration timeout)
      throws IOException {
    this.place = place;
    this.link = JedisLink.toServerOrCluster(password.serverOf(place), timeout, 1);
  }

  /** Runs an action with a connection; its failures name the place. */
  public static <R, E extends Exception> R with(
      RedisName place, RedisConnectionOptions options, Action<R, E> action) throws IOException, E {
    return with(place, options.password(), options.timeout(), action);
  }

  public static <R, E extends Exception> R with(
      RedisName place, RedisPasswordOption password, Action<R, E> action) throws IOException, E {
    return with(place, password, RedisConnectionOptions.DEFAULT_TIMEOUT, action);
  }

  private static <R, E extends Exception> R with(
      RedisName place, RedisPasswordOption password, Duration timeout, Action<R, E> action)
      throws IOException, E {
    try (RedisFilters filters = new RedisFilters(place, password, timeout)) {
      return action.run(filters);
    } catch (RedisFilterException e) {
      throw new CommandException("%s: %s", place, reason(e));
    } catch (IllegalStateException e) {
      if (e.getCause() instanceof RedisFilterException cause) { // in another thread
        throw new CommandException("%s: %s", place, reason(cause));
      }
      throw e;
    }
  }

  private static String reason(RedisFilterException e) {
    String message = String.valueOf(e.getMessage());
    if (e instanceof FilterMismatchException mismatch && mismatch.isOfHash()) {
      return message
          + "; name the file of the filter's key with --key-file, or none if it has none";
    }
    return message.contains(NO_CONNECTION)
        ? "cannot connect to the server; check its address, and that it runs"
        : message;
  }

  /** Opens the existing filter: the plain one of that name, or else the window. */
  public HashedMutableFilter<Line> open(KeyFile keyFile) throws IOException {
    try {
      return openAny(keyFile.hasher());
    } catch (FilterLostException e) {
      throw new CommandException("%s: %s; check the name", place, e.getMessage());
    }
  }

  private <T> HashedMutableFilter<T> openAny(KeyHasher<? super T> hasher) {
    try {
      return RedisBloomFilter.open(link, place.name(), hasher);
    } catch (FilterLostException noPlainFilter) {
      try {
        return RedisWindowedBloomFilter.open(link, place.name(), hasher);
      } catch (FilterLostException noWindow) {
        noPlainFilter.addSuppressed(noWindow);
        throw noPlainFilter;
      }
    }
  }

  /** Opens the existing filter, or creates a plain one with these options. */
  public HashedMutableFilter<Line> openOrCreate(
      FilterOptions options, KeyFile keyFile, KeyRule rule) throws IOException {
    HashedMutableFilter<Line> filter;
    try {
      filter = openAny(keyFile.hasher());
    } catch (FilterLostException e) {
      if (!options.fixSize()) {
        throw new CommandException(
            "%s: %s; to create one, give the expected distinct lines with -n (a filter on a server"
                + " does not grow)",
            place, e.getMessage());
      }
      RedisBloomFilterBuilder<Line> builder = builder(keyFile);
      options.size(builder::bits, builder::expectedKeys, builder::fpp, 1, OptionalLong.empty());
      setRule(rule, "NX"); // of concurrent runs one is first
      rule.requireToContinue(place, rule());
      return builder.createOrOpen();
    }
    rule.requireToContinue(place, rule());
    if (filter instanceof RedisBloomFilter<Line> plain) {
      options.requireAgreement(
          place, "the server", plain.expectedKeys(), plain.fpp(), plain.shape());
    } else if (filter instanceof RedisWindowedBloomFilter<Line> window) {
      options.requireAgreement(
          place, "the server", window.expectedKeys(), window.fpp(), window.bitSize(), Byte.SIZE);
    }
    return filter;
  }

  /** Opens the existing filter for text, or creates one if {@code expectedKeys} is not null. */
  public HashedMutableFilter<CharSequence> openForText(
      @Nullable Long expectedKeys, double fpp, KeyHasher<CharSequence> hasher) {
    try {
      return openAny(hasher);
    } catch (FilterLostException e) {
      if (expectedKeys == null) {
        throw new CommandException(
            "%s: %s; to create one, give the expected distinct URLs (-n)", place, e.getMessage());
      }
      return RedisBloomFilter.builder(link, place.name(), hasher)
          .expectedKeys(expectedKeys)
          .fpp(fpp)
          .createOrOpen();
    }
  }

  private RedisBloomFilterBuilder<Line> builder(KeyFile keyFile) throws IOException {
    return RedisBloomFilter.builder(link, place.name(), keyFile.hasher());
  }

  BloomFilter<Line> download(KeyFile keyFile) throws IOException {
    Path file = Files.createTempFile("tamis", ".tamis"); // an array holds only 2 GB
    try {
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
        if (!(open(keyFile) instanceof RedisBloomFilter<Line> plain)) {
          throw new CommandException(
              "%s: is a window, which cannot be read as a file; name a filter without one", place);
        }
        plain.writeTo(out);
      }
      return FilterFile.loadBloom(file, rule().hasher(keyFile.hasher()));
    } finally {
      Files.delete(file);
    }
  }

  /** Returns the filter; refuses one that a server cannot hold. */
  public static BloomFilter<Line> requireForServer(FilterPlace place, Loaded loaded) {
    if (loaded instanceof Loaded.OfFilter ofFilter && loaded.stored().kind() == Kind.BLOOM) {
      return (BloomFilter<Line>) ofFilter.filter();
    }
    throw new CommandException(
        "%s: a %s filter cannot be on a server; name a file, or build with -t blocked",
        place, loaded.kind());
  }

  /** Replaces the plain filter on the server by this one. */
  public RedisBloomFilter<Line> upload(BloomFilter<Line> filter, KeyFile keyFile, KeyRule rule)
      throws IOException {
    requireNoWindow();
    RedisBloomFilterBuilder<Line> builder = builder(keyFile);
    Layout layout = filter.shape().layout();
    if (layout != Layout.LINE && layout != Layout.SPLIT) { // bits all over, so in one string
      long bytes = filter.bitSize() / Byte.SIZE;
      if (bytes > RedisBloomFilterBuilder.MAX_SHARD_BYTES) {
        throw new CommandException(
            "%s: a filter of layout %s may have %d bytes on a server, got %d; one of -t blocked and"
                + " -p 1e-4 or more is divided",
            place, layout.label(), RedisBloomFilterBuilder.MAX_SHARD_BYTES, bytes);
      }
      builder.shardBytes(RedisBloomFilterBuilder.MAX_SHARD_BYTES);
    }
    RedisBloomFilter<Line> uploaded = builder.createOrReplace(filter);
    if (!rule().equals(rule)) {
      setRule(rule);
    }
    return uploaded;
  }

  /** Returns how keys were made, which is in a string beside the filter. */
  public KeyRule rule() {
    byte[] key = ruleKey();
    return KeyRule.ofText(
        new String(send(Command.read("GETRANGE", key, key, ascii("0"), ascii("-1"))), US_ASCII));
  }

  private void setRule(KeyRule rule, String... conditions) {
    List<byte[]> words = new ArrayList<>(List.of(ruleKey(), ascii(rule.options())));
    for (String condition : conditions) {
      words.add(ascii(condition));
    }
    byte[] unused = send(Command.write("SET", ruleKey(), words.toArray(byte[][]::new)));
  }

  private byte[] ruleKey() {
    return (place.name() + ":rule").getBytes(UTF_8);
  }

  private byte[] send(Command command) {
    Reply reply = link.send(List.of(command)).get(0);
    if (reply instanceof Reply.Bytes bytes) {
      return bytes.value() == null ? new byte[0] : bytes.value();
    }
    throw new CommandException("%s: %s: %s", place, command.name(), reply);
  }

  private static byte[] ascii(String word) {
    return word.getBytes(US_ASCII);
  }

  private void requireNoWindow() {
    try {
      RedisWindowedBloomFilter<byte[]> unused =
          RedisWindowedBloomFilter.open(link, place.name(), KeyHasher.bytes());
    } catch (FilterLostException e) {
      return; // there is none
    } catch (FilterMismatchException e) {
      // there is one with a secret key, or something else
    }
    throw new CommandException("%s: is a window; delete it or use another name", place);
  }

  /** Checks that the server can take a filter, before long work that builds it. */
  public void requireReachable() {
    requireNoWindow();
    try {
      RedisBloomFilter<byte[]> unused =
          RedisBloomFilter.open(link, place.name(), KeyHasher.bytes());
    } catch (FilterLostException | FilterMismatchException e) {
      return; // it has answered
    }
  }

  public Report list() {
    return new Report()
        .each(
            "filter",
            RedisFilterList.of(link).stream()
                .map(
                    found ->
                        new Report()
                            .text("name", found.name())
                            .text("kind", found.kind().label())
                            .count("expected-keys", found.expectedKeys())
                            .number("fpp", found.fpp())
                            .count("bytes", found.bits() / Byte.SIZE)
                            .count("shards", found.shards()))
                .toList());
  }

  public Report describe(KeyFile keyFile) throws IOException {
    HashedMutableFilter<Line> filter = open(keyFile);
    Kind kind = filter instanceof RedisBloomFilter<Line> plain ? plain.kind() : Kind.WINDOWED_BLOOM;
    Report facts =
        new Report().text("kind", kind.label()).all(Descriptions.traits(filter.traits()));
    return Descriptions.state(facts, filter)
        .count("bytes", filter.bitSize() / Byte.SIZE)
        .all(rule().report())
        .text("persistence", label(health(filter).persistence()));
  }

  private static String label(RedisPersistence persistence) {
    return persistence.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static RedisHealth health(HashedMutableFilter<?> filter) {
    return filter instanceof RedisWindowedBloomFilter<?> window
        ? window.health()
        : ((RedisBloomFilter<?>) filter).health();
  }

  /** Warns if a crash of the server would lose puts without an error. */
  public void warnOfSilentLoss(HashedMutableFilter<?> filter, String command, Messages err) {
    if (health(filter).persistence().losesSilently()) {
      err.line(
          "tamis %s: %s: the server keeps snapshots only: if it is killed, what was put since the"
              + " last one is silently unknown; set appendonly yes there",
          command, place);
    }
  }

  /** Returns the index of the first line whose outcome is unknown, if any. */
  public static OptionalInt firstUncertain(RuntimeException e) {
    return e instanceof UncertainPutException uncertain
        ? OptionalInt.of(uncertain.firstUncertain())
        : OptionalInt.empty();
  }

  @Override
  public void close() {
    link.close();
  }

  public interface Action<R, E extends Exception> {
    R run(RedisFilters filters) throws IOException, E;
  }
}
