/**
 * One Bloom filter that many processes share, in Redis or Valkey.
 *
 * <p>Begin with {@link dev.tamis.redis.RedisBloomFilter}, or with {@link
 * dev.tamis.redis.RedisWindowedBloomFilter} to forget what is old. They speak to a server through a
 * {@link dev.tamis.redis.RedisLink}, one for each client library.
 */
@NullMarked
package dev.tamis.redis;

import org.jspecify.annotations.NullMarked;
