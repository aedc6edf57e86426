/** A simulation of the network filters: start at {@link SimulateNetwork}. */
@NullMarked
package dev.tamis.examples.network;

import org.jspecify.annotations.NullMarked;
