package dev.tamis.cli.lines;

import java.io.IOException;
import java.io.InputStream;

/** Something lines are read from, such as a file. */
public interface LineInput {

  /** Returns what people call it in messages. */
  String name();

  /** Returns whether a read may wait for whoever writes it, as from a pipe; a file's does not. */
  boolean mayBlock();

  /** Opens it; the reader closes it. */
  InputStream open() throws IOException;
}
