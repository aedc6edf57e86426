module user {
  requires dev.tamis.redis;
  requires dev.tamis.core;
}
