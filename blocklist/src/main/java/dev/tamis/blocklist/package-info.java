/**
 * Block lists of addresses, domains, networks and URLs in little memory: built with {@link
 * dev.tamis.blocklist.BlocklistBuilder}, queried through {@link dev.tamis.blocklist.Blocklist}.
 */
@NullMarked
package dev.tamis.blocklist;

import org.jspecify.annotations.NullMarked;
