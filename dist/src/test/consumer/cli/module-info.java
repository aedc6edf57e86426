module user {
  requires dev.tamis.cli;
  requires dev.tamis.core;
}
