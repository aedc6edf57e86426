package dev.tamis.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * One command for a server, in bytes.
 *
 * <p>Its arrays are shared, not copied: nobody may change them.
 */
public final class Command {

  private final String name;
  private final byte[] key;
  private final byte[][] arguments;
  private final boolean readOnly;

  private Command(String name, byte[] key, byte[][] arguments, boolean readOnly) {
    this.name = name;
    this.key = key;
    this.arguments = arguments;
    this.readOnly = readOnly;
  }

  /**
   * Returns a command that may change something.
   *
   * @param name the first word
   * @param key the key that says which server of a cluster it is for
   * @param arguments all words after the first, the key among them where it belongs
   */
  public static Command write(String name, byte[] key, byte[]... arguments) {
    return new Command(name, key, arguments, false);
  }

  /** Returns a command that only looks, so that it may be sent again and replicas take it. */
  public static Command read(String name, byte[] key, byte[]... arguments) {
    return new Command(name, key, arguments, true);
  }

  /** Returns the first word, in capital letters. */
  public String name() {
    return name;
  }

  /** Returns the key that says which server of a cluster it is for. */
  public byte[] key() {
    return key;
  }

  /** Returns all words after the first. */
  public byte[][] arguments() {
    return arguments;
  }

  /** Returns whether it changes nothing. */
  public boolean isReadOnly() {
    return readOnly;
  }

  /** Returns the name and the key; the rest may be long. */
  @Override
  public String toString() {
    return name + " " + new String(key, UTF_8) + " (" + arguments.length + " words)";
  }
}
