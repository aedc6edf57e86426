package dev.tamis.tools.network;

/** Whether a {@link FlowLedger} knows a message as in flight. */
public enum Presence {
  /** It is in flight, but for the fpp. */
  IN_FLIGHT,

  /** It is certainly not noted as in flight. */
  ABSENT
}
