/**
 * Filters that answer "have I seen this before?" in a fraction of the memory that remembering
 * everything would take.
 */
@org.jspecify.annotations.NullMarked
module dev.tamis.core {
  requires static org.jspecify;
  requires com.dynatrace.hash4j;

  exports dev.tamis;
  exports dev.tamis.file;
  exports dev.tamis.filter;
  exports dev.tamis.format;
  exports dev.tamis.hash;
  exports dev.tamis.interop;
  exports dev.tamis.sizing;
  exports dev.tamis.sketch;
}
