/**
 * A filter in memory before a store that is slow to say "not here": start at {@link
 * dev.tamis.kit.guard.StoreGuard}, at {@link dev.tamis.kit.guard.ReadGuard} where others write, or
 * at {@link dev.tamis.kit.guard.SharedStoreGuard} where several processes write.
 */
@NullMarked
package dev.tamis.kit.guard;

import org.jspecify.annotations.NullMarked;
