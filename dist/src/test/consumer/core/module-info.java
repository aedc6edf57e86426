module user {
  requires dev.tamis.core;
}
