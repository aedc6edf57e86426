package dev.tamis.tools.digest;

import java.net.URI;

/**
 * A digest as a server sent it.
 *
 * @param uri where it was requested
 * @param digest what came
 * @param contentType what the server called it, in lower case and without parameters; empty if it
 *     did not say; Squid says {@link #CONTENT_TYPE}
 * @param attempts the number of requests
 */
public record FetchedDigest(URI uri, CacheDigest digest, String contentType, int attempts) {

  /** What Squid calls a digest. */
  public static final String CONTENT_TYPE = "application/cache-digest";
}
