/**
 * Filters in networks, all in memory: {@link dev.tamis.tools.network.PathFilter} in a packet,
 * {@link dev.tamis.tools.network.BroadcastSuppression} against echoes, {@link
 * dev.tamis.tools.network.RoutingTable} for queries, {@link dev.tamis.tools.network.FlowLedger} for
 * what is in flight. None of them does I/O; the bytes and the clock are handed in.
 */
@NullMarked
package dev.tamis.tools.network;

import org.jspecify.annotations.NullMarked;
