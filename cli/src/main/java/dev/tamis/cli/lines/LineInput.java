package dev.tamis.cli.lines;

import java.io.IOException;
import java.io.InputStream;

/** Something lines are read from, such as a file. */
public interface LineInput {

  /** Returns what people call it in messages. */
  String name();

  /** Opens it; the reader closes it. */
  InputStream open() throws IOException;
}
