module user {
  requires dev.tamis.spark;
  requires dev.tamis.core;
}
