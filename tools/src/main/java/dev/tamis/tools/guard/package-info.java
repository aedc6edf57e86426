/**
 * A filter in memory before a store with slow negative lookups: start at {@link
 * dev.tamis.tools.guard.StoreGuard}, at {@link dev.tamis.tools.guard.ReadGuard} where others write,
 * or at {@link dev.tamis.tools.guard.SharedStoreGuard} where several processes write.
 */
@NullMarked
package dev.tamis.tools.guard;

import org.jspecify.annotations.NullMarked;
