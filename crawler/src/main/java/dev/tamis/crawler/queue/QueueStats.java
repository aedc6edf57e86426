package dev.tamis.crawler.queue;

import java.util.OptionalDouble;

/**
 * The account of a queue since it was created.
 *
 * <p>It adds up: {@code pushed = accepted + duplicates + rejected + full}, and {@code accepted =
 * delivered + inFlight + pending}.
 *
 * @param pushed URLs that were pushed, again or for the first time
 * @param accepted those that were taken to be delivered
 * @param duplicates those whose key was seen before
 * @param rejected those that the queue is not for
 * @param full those that were new when no new key was taken any more
 * @param delivered URLs that were polled, or leased and acknowledged
 * @param inFlight URLs that are leased
 * @param pending URLs that wait
 * @param hosts different hosts that URLs were accepted of; 0 where hosts are not told apart
 * @param seenKeys different keys that were pushed or marked as seen; where the filter is shared,
 *     the keys that it knows of
 * @param fill seenKeys as a share of the expected keys; may pass 1
 * @param expectedFpp the probability that a new URL is now taken for a seen one; 0 when answers are
 *     confirmed
 * @param expectedWrongDrops new URLs that are expected to have been taken for seen ones so far; 0
 *     when answers are confirmed
 * @param rescued new URLs that the filter took for seen ones and the confirmation did not
 * @param doubtful accepted URLs that another queue with the same shared filter may have accepted
 *     too: one at most for each time that a push found the filter unreachable or the process ended
 *     in the middle of one
 */
public record QueueStats(
    long pushed,
    long accepted,
    long duplicates,
    long rejected,
    long full,
    long delivered,
    long inFlight,
    long pending,
    long hosts,
    long seenKeys,
    double fill,
    double expectedFpp,
    OptionalDouble expectedWrongDrops,
    long rescued,
    long doubtful) {}
