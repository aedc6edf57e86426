package dev.tamis.tools.network;

/** What {@link PathFilter#look} says of a link; the packet goes over it only at the first. */
public enum Delivery {
  /** The link is on the packet's way, but for the fpp. */
  FORWARD,

  /** The link is certainly not on its way. */
  NOT_HERE,

  /** More bits are set than a sender may set: somebody filled the filter to reach every link. */
  OVERFULL,

  /** The bytes have the wrong length, or name a table that there is not. */
  MALFORMED
}
