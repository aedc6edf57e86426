package dev.tamis.crawler.queue;

import java.util.OptionalDouble;

/**
 * Counters of a queue since it was created.
 *
 * <p>They add up: {@code pushed = accepted + duplicates + rejected + full}, and {@code accepted =
 * delivered + inFlight + pending}.
 *
 * @param pushed URLs that were pushed, again or for the first time
 * @param accepted those accepted for delivery
 * @param duplicates those whose key was seen before
 * @param rejected those that violate the rules of the queue
 * @param full those that were new when the queue was full
 * @param delivered URLs that were polled, or leased and acknowledged
 * @param inFlight URLs that are leased
 * @param pending URLs still to be delivered
 * @param hosts distinct hosts of accepted URLs; 0 where hosts are not told apart
 * @param seenKeys distinct keys pushed or marked as seen; with a shared filter, those it reports
 * @param fill seenKeys divided by the expected keys; may exceed 1
 * @param expectedFpp the probability that a new URL is now taken for a seen one; 0 with exact
 *     confirmation
 * @param overfull whether that is more than ten times the fpp requested, so that new URLs are lost
 * @param expectedWrongDrops the expected number of new URLs taken for seen ones so far, empty if
 *     the shared filter cannot tell; 0 with exact confirmation
 * @param rescued false positives of the filter that exact confirmation caught
 * @param doubtful accepted URLs that this queue, or another with the same shared filter, may have
 *     accepted before: at most one for each push that could not reach the filter or was interrupted
 *     by the end of the process
 * @param tornBytes bytes at the end of the write-ahead log that were cut off when the queue was
 *     opened, since they were no complete record: what a crash interrupted, or a file cut short
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
    boolean overfull,
    OptionalDouble expectedWrongDrops,
    long rescued,
    long doubtful,
    long tornBytes) {}
