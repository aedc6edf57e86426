package dev.tamis.crawler.queue;

import dev.tamis.crawler.queue.Admission.Purpose;
import java.io.IOException;
import java.util.Optional;

/** Does what a queue does, for one thread at a time: decides, writes down, makes the change. */
final class Clerk {

  /*
   * Where the filter is shared, a push is three steps: the claim is written down, the key is put
   * into the filter, what came of it is written down. The put says who of all queues is first, and
   * cannot be taken back. If the process ends, or the filter throws, after the first step, nobody
   * knows who is: so the claim is settled before the next one is made, and when the queue is opened,
   * by another put, and its URL comes in whatever that says. No URL is lost, and of each such event
   * one URL at most is visited by two queues.
   */

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
    boolean shared = contents.seen().isShared();
    PushResult result;
    if (verdict.rejection().isPresent()) {
      result = verdict.rejection().get();
    } else {
      result =
          shared
              ? decideWithOthers(new Claim(verdict.host(), url, verdict.key()), hash, purpose)
              : admission.decide(verdict, hash, purpose);
    }
    if (!result.isAccepted()) {
      if (purpose != Purpose.MARK) {
        counts.count(result.status());
      }
    } else if (shared) {
      return result; // it is in already
    } else if (purpose == Purpose.MARK) {
      make(new Change.Marked(verdict.key()));
    } else {
      Entry entry = new Entry(counts.lastSequence + 1, verdict.host(), url, 0);
      make(new Change.Accepted(entry, verdict.key()));
    }
    return result;
  }

  /** Decides by a shared filter; what is accepted is in the queue then. */
  private PushResult decideWithOthers(Claim claim, long hash, Purpose purpose) throws IOException {
    if (settle().filter(claim.key()::equals).isPresent() && purpose != Purpose.MARK) {
      return PushResult.ACCEPTED;
    }
    Optional<PushResult> refusal = admission.refusal(claim.host(), purpose);
    if (refusal.isPresent()) {
      boolean seen = contents.seen().ask(claim.key(), hash) == Seen.Answer.SEEN;
      if (!seen || purpose != Purpose.AGAIN) {
        return seen ? PushResult.DUPLICATE : refusal.get();
      }
    }
    if (purpose == Purpose.MARK) {
      return contents.seen().putFirst(hash) ? PushResult.ACCEPTED : PushResult.DUPLICATE;
    }
    make(new Change.Claimed(claim));
    boolean wanted = contents.seen().putFirst(hash) || purpose == Purpose.AGAIN;
    make(new Change.Settled(wanted ? Change.Outcome.ACCEPTED : Change.Outcome.DUPLICATE));
    return wanted ? PushResult.ACCEPTED : PushResult.DUPLICATE;
  }

  /** Takes in the URL of a claim that is open, if there is one, and returns its key. */
  Optional<String> settle() throws IOException {
    Optional<String> key = contents.claim().map(Claim::key);
    if (key.isPresent()) {
      boolean first = contents.seen().putFirst(contents.seen().hashOf(key.get()));
      make(new Change.Settled(first ? Change.Outcome.ACCEPTED : Change.Outcome.DOUBTFUL));
    }
    return key;
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
