/** Which bytes of a key count, and the function that turns them into 64 bits. */
package dev.tamis.hash;
