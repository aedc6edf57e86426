package dev.tamis.crawler.queue;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * The entries that wait, in the order in which they are due. Times are the queue's, in nanoseconds.
 */
interface Waiting {

  /**
   * Adds an entry.
   *
   * @param isNew whether it counts as accepted, or comes back
   */
  void add(Entry entry, boolean isNew, long nowNanos);

  /** Returns the entry that is due, or nothing if none is. */
  Optional<Entry> due(long nowNanos);

  /** Returns the entry that will be due first, also if that is later. */
  Optional<Entry> first();

  /** Returns when {@link #first} is due, or nothing if no entry can be before another one ends. */
  OptionalLong firstDueNanos();

  /** Takes an entry out, or returns nothing if it is not here. */
  Optional<Entry> remove(String host, long sequence);

  /** Notes that a visit begins: the host has to wait for its end. */
  void begin(String host);

  /** Notes that a visit ended: the host has to wait its delay from now. */
  void end(String host, long nowNanos);

  /** Lets a host wait until a time at least. */
  void pause(String host, long untilNanos);

  /** Lets all hosts wait their delay from now, as it is not known when the last visits ended. */
  void pauseAll(long nowNanos);

  /** Returns how many entries of the host were accepted. */
  long accepted(String host);

  /** Returns how many entries wait. */
  long size();

  /** Returns how many hosts are known; 0 where they are not told apart. */
  long hosts();
}
