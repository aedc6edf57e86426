package dev.tamis.cli.queue;

import dev.tamis.HashedMutableFilter;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Messages;
import dev.tamis.cli.place.RedisFilters;
import dev.tamis.cli.place.RedisName;
import dev.tamis.cli.place.RedisPasswordOption;
import dev.tamis.crawler.queue.OnFull;
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

  SeenOption(Messages err) {
    this.err = err;
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
            place, login, filters -> use.with(filters.openForText(null, Double.NaN)));
  }

  /** Uses a queue that is created if missing, as is its filter. */
  <R, E extends Exception> R openOrCreate(
      String command, QueueOptions options, double defaultFpp, QueueAction<R, E> use)
      throws IOException, E {
    RedisName place = seen;
    if (place == null) {
      return use.with(null);
    }
    if (options.exact() || options.onFull() == OnFull.GROW) {
      throw new CommandException(
          "--seen: cannot be combined with --exact or --on-full grow; leave one out");
    }
    Double fpp = options.fpp();
    return RedisFilters.with(
        place,
        login,
        filters -> {
          HashedMutableFilter<CharSequence> shared =
              filters.openForText(options.expectedKeys(), fpp == null ? defaultFpp : fpp);
          filters.warnOfSilentLoss(shared, command, err);
          return use.with(shared);
        });
  }
}
