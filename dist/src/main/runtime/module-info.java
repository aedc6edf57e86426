/** The command and all its jars; the modules of Java are what they call. */
open module dev.tamis.app {
  requires java.logging;
  requires java.management;
  requires java.naming;
  requires java.sql;
  requires java.xml;
  requires jdk.httpserver;
  requires jdk.unsupported;

  // Exported, so that the module is there without being named: with -m the JVM starts slower.
  exports dev.tamis.cli;

  uses org.slf4j.spi.SLF4JServiceProvider;

  provides org.slf4j.spi.SLF4JServiceProvider with
      org.slf4j.nop.NOPServiceProvider;
}
