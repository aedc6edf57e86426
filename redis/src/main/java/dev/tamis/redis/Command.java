package dev.tamis.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * One command for a server, in bytes.
 *
 * <p>Its arrays are shared, not copied: do not modify them.
 */
public final class Command {

  private final String name;
  private final byte[] key;
  private final byte[][] arguments;
  private final Effect effect;

  private Command(String name, byte[] key, byte[][] arguments, Effect effect) {
    this.name = name;
    this.key = key;
    this.arguments = arguments;
    this.effect = effect;
  }

  /** The effect of a command, which decides whether it may be retried or sent to a replica. */
  private enum Effect {
    CHANGES,
    READS,
    READS_WHAT_MAY_BE_OLD
  }

  /**
   * Returns a command that may change something.
   *
   * @param name the first word
   * @param key the key that determines the server of a cluster
   * @param arguments all words after the first, the key among them where it belongs
   */
  public static Command write(String name, byte[] key, byte[]... arguments) {
    return new Command(name, key, arguments, Effect.CHANGES);
  }

  /** Returns a command that only reads, so that it may be sent again. */
  public static Command read(String name, byte[] key, byte[]... arguments) {
    return new Command(name, key, arguments, Effect.READS);
  }

  Command orOfReplica() {
    return new Command(name, key, arguments, Effect.READS_WHAT_MAY_BE_OLD);
  }

  /** Returns the first word, in capital letters. */
  public String name() {
    return name;
  }

  /** Returns the key that determines the server of a cluster. */
  public byte[] key() {
    return key;
  }

  /** Returns whether one of the arguments is the key itself. */
  boolean namesItsKey() {
    for (byte[] argument : arguments) {
      if (argument == key) {
        return true;
      }
    }
    return false;
  }

  /** Returns all words after the first. */
  public byte[][] arguments() {
    return arguments;
  }

  /** Returns whether it changes nothing. */
  public boolean isReadOnly() {
    return effect != Effect.CHANGES;
  }

  /** Returns whether a replica may reply to it, which can lag behind its master. */
  public boolean mayBeOld() {
    return effect == Effect.READS_WHAT_MAY_BE_OLD;
  }

  /** Returns the name and the key; the rest may be long. */
  @Override
  public String toString() {
    return name + " " + new String(key, UTF_8) + " (" + arguments.length + " words)";
  }
}
