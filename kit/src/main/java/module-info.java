/** What people build with the filters: de-duplication, block lists, files replaced safely. */
@org.jspecify.annotations.NullMarked
module dev.tamis.kit {
  requires transitive dev.tamis.core;
  requires transitive java.sql;
  requires static micrometer.core;
  requires static transitive org.jspecify;
  requires com.ibm.icu;
  requires crawler.commons;

  exports dev.tamis.kit.block;
  exports dev.tamis.kit.dedup;
  exports dev.tamis.kit.file;
  exports dev.tamis.kit.guard;
}
