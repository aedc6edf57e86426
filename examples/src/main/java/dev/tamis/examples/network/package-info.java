/**
 * Filters in networks, rows B7 to B10: {@link PathFilter} in a packet, {@link RoutingTable} for
 * queries, {@link FlowLedger} for what is in flight, and core's windowed filter against repeated
 * broadcasts. {@link SimulateNetwork} runs all four.
 */
@NullMarked
package dev.tamis.examples.network;

import org.jspecify.annotations.NullMarked;
