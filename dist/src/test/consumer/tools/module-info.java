module user {
  requires dev.tamis.tools;
  requires dev.tamis.core;
}
