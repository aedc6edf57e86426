package dev.tamis.redis;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.URI;

/** A process that trusts the test's certificate, as a user's would that is started so. */
final class TlsProcess {

  private TlsProcess() {}

  /** Takes the kind of link and the address, and prints what a filter there answers. */
  public static void main(String[] arguments) throws IOException {
    try (RedisLink link = LinkKind.valueOf(arguments[0]).to(URI.create(arguments[1]))) {
      RedisBloomFilter<Long> filter = TestFilters.builder(link, arguments[0], 1_000, 0.01).create();
      String answers = filter.put(1L) + " " + filter.put(1L) + " " + filter.mightContain(1L);
      new FileOutputStream(FileDescriptor.out).write(CommandTokens.of(answers));
    }
  }
}
