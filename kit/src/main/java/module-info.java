/** What people build with the filters: de-duplication, store guards, and files replaced safely. */
@org.jspecify.annotations.NullMarked
module dev.tamis.kit {
  requires transitive dev.tamis.core;
  requires transitive java.sql;
  requires static micrometer.core;
  requires static transitive org.jspecify;

  exports dev.tamis.kit.dedup;
  exports dev.tamis.kit.file;
  exports dev.tamis.kit.guard;
}
