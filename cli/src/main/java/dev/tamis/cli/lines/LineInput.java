package dev.tamis.cli.lines;

import java.io.IOException;
import java.io.InputStream;

/** Something lines are read from, such as a file. */
public interface LineInput {

  String name();

  /** Returns whether a read may wait for a writer, as from a pipe. */
  boolean mayBlock();

  InputStream open() throws IOException;
}
