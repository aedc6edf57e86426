package dev.tamis.crawler.queue;

import java.io.Closeable;
import java.io.IOException;
import org.h2.mvstore.MVStoreException;

/** Where changes are written down before they are made. */
interface ChangeLog extends Closeable {

  /** Forgets everything: for a queue in memory. */
  ChangeLog NONE =
      new ChangeLog() {
        @Override
        public void makeRoom() {}

        @Override
        public void write(Change change) {}

        @Override
        public IOException named(MVStoreException e) {
          return new IOException("a store in memory cannot fail", e);
        }

        @Override
        public void abandon() {}

        @Override
        public void close() {}
      };

  /** Does what is due from time to time, while no change is under way. */
  void makeRoom() throws IOException;

  /** Writes a change down. If this throws, the change must not be made. */
  void write(Change change) throws IOException;

  /** Returns what went wrong with the store, with the name of its file. */
  IOException named(MVStoreException e);

  /** Lets go of everything as the end of the process would. */
  void abandon() throws IOException;
}
