package dev.tamis.crawler.queue;

import java.io.Closeable;
import java.io.IOException;

/** Makes changes durable before they are applied. */
interface Persistence extends Closeable {

  /** Keeps nothing: for a queue in memory. */
  Persistence NONE =
      new Persistence() {
        @Override
        public void checkpointIfDue() {}

        @Override
        public void append(Change change) {}

        @Override
        public IOException named(RuntimeException e) {
          return new IOException("a store in memory cannot fail", e);
        }

        @Override
        public void abandon() {}

        @Override
        public void close() {}
      };

  /** Takes a checkpoint if the log has grown enough; no change may be in progress. */
  void checkpointIfDue() throws IOException;

  /** Appends a change to the log. If this throws, the change must not be applied. */
  void append(Change change) throws IOException;

  /** Returns an error of the store, or a contradiction in it, as one that names its file. */
  IOException named(RuntimeException e);

  /** Releases the files as the end of the process would, without a checkpoint. */
  void abandon() throws IOException;
}
