module user {
  requires dev.tamis.flink;
  requires dev.tamis.core;
}
