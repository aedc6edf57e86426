module user {
  requires dev.tamis.crawler;
  requires dev.tamis.core;
}
