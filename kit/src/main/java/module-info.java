/** What people build with the filters: de-duplication, and files that are replaced safely. */
@org.jspecify.annotations.NullMarked
module dev.tamis.kit {
  requires transitive dev.tamis.core;
  requires static transitive org.jspecify;

  exports dev.tamis.kit.dedup;
  exports dev.tamis.kit.file;
}
