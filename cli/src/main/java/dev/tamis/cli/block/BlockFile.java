package dev.tamis.cli.block;

import dev.tamis.blocklist.Blocklist;
import dev.tamis.cli.console.KeyFile;
import dev.tamis.hash.HashKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The file of a block list, which is read with the secret key that was named, if one was. */
final class BlockFile {

  private BlockFile() {}

  static Blocklist load(Path path, KeyFile keyFile) throws IOException {
    return keyFile.load(
        path,
        (file, hasher) -> {
          Optional<HashKey> key = hasher.hashKey();
          return key.isPresent() ? Blocklist.load(file, key.get()) : Blocklist.load(file);
        },
        Blocklist::hashIdOf);
  }
}
