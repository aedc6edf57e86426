/**
 * Block lists of addresses and domains in little memory: built with {@link
 * dev.tamis.kit.block.BlocklistBuilder}, asked through {@link dev.tamis.kit.block.Blocklist}.
 */
@NullMarked
package dev.tamis.kit.block;

import org.jspecify.annotations.NullMarked;
