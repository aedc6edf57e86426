package dev.tamis.cli.queue;

import dev.tamis.HashedMutableFilter;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.KeyFile;
import dev.tamis.cli.console.Messages;
import dev.tamis.cli.place.RedisFilters;
import dev.tamis.cli.place.RedisName;
import dev.tamis.cli.place.RedisPasswordOption;
import dev.tamis.crawler.queue.OnFull;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The filter on a server in which several queues keep the URLs that they have seen. */
final class SeenOption {

  private final Messages err;

  @Option(
      names = "--seen",
      paramLabel = "URL",
      converter = RedisName.Converter.class,
      description =
          "Keep seen URLs in redis://HOST:PORT/NAME, shared with other queues: each URL is"
              + " delivered by one of them. Give it whenever the queue is used.")
  private @Nullable RedisName seen;

  @Mixin private final RedisPasswordOption login;
  @Mixin private final KeyFile keyFile;

  SeenOption(Messages err) {
    this.err = err;
    this.keyFile = new KeyFile(err);
    this.login = new RedisPasswordOption(err);
  }

  interface QueueAction<R, E extends Exception> {
    R with(@Nullable HashedMutableFilter<CharSequence> shared) throws IOException, E;
  }

  <R, E extends Exception> R open(QueueAction<R, E> use) throws IOException, E {
    RedisName place = seen;
    return place == null
        ? use.with(null)
        : RedisFilters.with(
            place,
            login,
            filters -> use.with(filters.openForText(null, Double.NaN, keyFile.textHasher())));
  }

  /** Uses a queue that is created if missing, as is its filter. */
  <R, E extends Exception> R openOrCreate(
      String command, QueueOptions options, double defaultFpp, QueueAction<R, E> use)
      throws IOException, E {
    RedisName place = seen;
    if (place == null) {
      return use.with(null);
    }
    if (options.exact()) {
      throw new CommandException(
          "--seen: cannot be combined with --exact, which would look up URLs that other queues have"
              + " seen among those of this one; leave one out, or lower -p");
    }
    if (options.onFull() == OnFull.GROW) {
      throw new CommandException(
          "--seen: cannot be combined with --on-full grow: a filter on a server does not grow;"
              + " leave one out, or raise -n");
    }
    KeyHasher<CharSequence> hasher = keyFile.textHasher();
    Double fpp = options.fpp();
    return RedisFilters.with(
        place,
        login,
        filters -> {
          HashedMutableFilter<CharSequence> shared =
              filters.openForText(options.expectedKeys(), fpp == null ? defaultFpp : fpp, hasher);
          filters.warnOfSilentLoss(shared, command, err);
          if (hasher.hashKey().isEmpty()) {
            err.line(
                "tamis %s: %s: the filter has no secret key: anyone who gets URLs into it can hide"
                    + " others; create it with --key-file",
                command, place);
          }
          return use.with(shared);
        });
  }
}
