/**
 * Filters in networks, all in memory: {@link dev.tamis.kit.network.PathFilter} in a packet, {@link
 * dev.tamis.kit.network.BroadcastSuppression} against echoes, {@link
 * dev.tamis.kit.network.RoutingTable} for queries, {@link dev.tamis.kit.network.FlowLedger} for
 * what is in flight. None of them does I/O; the bytes and the clock are handed in.
 */
@NullMarked
package dev.tamis.kit.network;

import org.jspecify.annotations.NullMarked;
