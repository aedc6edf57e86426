package dev.tamis.examples;

/** What a program prints that was started without its arguments. */
final class Usage {

  private static final int WRONG_USAGE = 2;

  private Usage() {}

  /** Ends the program with status 2 and its usage, unless there are {@code count} arguments. */
  static void require(int count, String[] args, Class<?> program, String arguments) {
    if (args.length != count) {
      System.err.println("usage: java " + program.getName() + " " + arguments);
      System.exit(WRONG_USAGE);
    }
  }
}
