package dev.tamis.kit.queue;

import dev.tamis.kit.queue.Admission.Purpose;
import java.io.IOException;
import java.util.Optional;

/** Does what a queue does, for one thread at a time: decides, writes down, makes the change. */
final class Clerk {

  private final Contents contents;
  private final ChangeLog log;
  private final Admission admission;
  private final Leases leases;

  Clerk(Contents contents, ChangeLog log, Admission admission, Leases leases) {
    this.contents = contents;
    this.log = log;
    this.admission = admission;
    this.leases = leases;
  }

  /** Takes a URL in, or says why not. */
  PushResult take(String url, Rules.Verdict verdict, long hash, Purpose purpose)
      throws IOException {
    log.makeRoom();
    Counts counts = contents.counts();
    PushResult result =
        verdict.rejection().orElseGet(() -> admission.decide(verdict, hash, purpose));
    if (!result.isAccepted()) {
      if (purpose != Purpose.MARK) {
        counts.count(result.status());
      }
    } else if (purpose == Purpose.MARK) {
      make(new Change.Marked(verdict.key()));
    } else {
      Entry entry = new Entry(counts.lastSequence + 1, verdict.host(), url, 0);
      make(new Change.Accepted(entry, verdict.key()));
    }
    return result;
  }

  /** Delivers the entry that is due. */
  Optional<Entry> deliver() throws IOException {
    log.makeRoom();
    Optional<Entry> entry = due();
    if (entry.isPresent()) {
      make(new Change.Delivered(entry.get().host(), entry.get().sequence()));
    }
    return entry;
  }

  /** Leases the entry that is due. */
  Optional<Entry> lease() throws IOException {
    log.makeRoom();
    Optional<Entry> entry = due();
    if (entry.isPresent()) {
      contents.lease(entry.get());
      leases.begin(entry.get(), contents.now());
    }
    return entry;
  }

  private Optional<Entry> due() throws IOException {
    returnOverdue();
    return contents.waiting().due(contents.now());
  }

  private void returnOverdue() throws IOException {
    for (var first = leases.first();
        first.isPresent() && first.get().endNanos() <= contents.now();
        first = leases.first()) {
      if (contents.isLeased(first.get().entry())) {
        takeBack(first.get().entry());
      }
      leases.removeFirst();
    }
  }

  /** Ends a lease for good; returns false if it was over. */
  boolean acknowledge(Entry entry) throws IOException {
    returnOverdue();
    boolean held = contents.isLeased(entry);
    if (held) {
      make(new Change.Delivered(entry.host(), entry.sequence()));
    }
    return held;
  }

  /** Ends a lease in vain; returns false if it was over. */
  boolean giveBack(Entry entry) throws IOException {
    returnOverdue();
    boolean held = contents.isLeased(entry);
    if (held) {
      takeBack(entry);
    }
    return held;
  }

  private void takeBack(Entry entry) throws IOException {
    long place = contents.counts().lastSequence + 1;
    make(new Change.Returned(entry.host(), entry.sequence(), place));
  }

  private void make(Change change) throws IOException {
    log.write(change);
    try {
      contents.apply(change);
    } catch (RuntimeException | Error e) {
      throw new BrokenException(e); // written down, but not made
    }
  }

  /** Returns in how many nanoseconds an entry may be due, if nothing else happens. */
  long nanosUntilDue() {
    long first = contents.waiting().firstDueNanos().orElse(Long.MAX_VALUE);
    long lease = leases.firstEndNanos().orElse(Long.MAX_VALUE);
    return Math.max(0, Math.min(first, lease) - contents.now());
  }

  /** Says that what is in memory is not what is on disk. */
  static final class BrokenException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BrokenException(Throwable cause) {
      super("the queue is broken: close it and open it again", cause);
    }
  }
}
