package dev.tamis.crawler.queue;

/** Thrown when a queue on disk is opened with another parameter than it was created with. */
public final class StoredParameterException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final String parameter;
  private final String stored;
  private final String requested;

  StoredParameterException(String parameter, Object stored, Object requested) {
    super(
        "queue: "
            + parameter
            + ": must be "
            + stored
            + " as stored, got "
            + requested
            + "; omit it, or create another queue");
    this.parameter = parameter;
    this.stored = stored.toString();
    this.requested = requested.toString();
  }

  /** Returns the name of the parameter: that of its setter in {@link VisitQueueBuilder}. */
  public String parameter() {
    return parameter;
  }

  /** Returns the value that the queue was created with. */
  public String stored() {
    return stored;
  }

  /** Returns the value that was requested. */
  public String requested() {
    return requested;
  }
}
