module user {
  requires dev.tamis.blocklist;
  requires dev.tamis.core;
}
