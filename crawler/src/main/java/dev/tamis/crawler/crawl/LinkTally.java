package dev.tamis.crawler.crawl;

import dev.tamis.crawler.queue.PushResult;
import dev.tamis.crawler.queue.PushResult.Reason;
import dev.tamis.crawler.queue.PushResult.Rejection;
import java.util.concurrent.atomic.LongAdder;

/** Counts what became of links. Safe for concurrent use. */
final class LinkTally {

  private final LongAdder found = new LongAdder();
  private final LongAdder accepted = new LongAdder();
  private final LongAdder known = new LongAdder();
  private final LongAdder outOfScope = new LongAdder();
  private final LongAdder overHostLimit = new LongAdder();
  private final LongAdder invalid = new LongAdder();

  void invalid(long links) {
    found.add(links);
    invalid.add(links);
  }

  void pushed(PushResult result) {
    found.increment();
    switch (result.status()) {
      case ACCEPTED -> accepted.increment();
      case DUPLICATE -> known.increment();
      case REJECTED -> rejected(result.rejection().map(Rejection::reason).orElseThrow());
      case FULL -> throw new IllegalStateException("a queue that grows is never full");
    }
  }

  private void rejected(Reason reason) {
    switch (reason) {
      case OUT_OF_SCOPE -> outOfScope.increment();
      case HOST_LIMIT -> overHostLimit.increment();
      case UNPARSABLE, TOO_LONG -> invalid.increment();
    }
  }

  LinkCounts counts() {
    return new LinkCounts(
        found.sum(),
        accepted.sum(),
        known.sum(),
        outOfScope.sum(),
        overHostLimit.sum(),
        invalid.sum());
  }
}
