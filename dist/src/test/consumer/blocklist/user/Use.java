package user;

import dev.tamis.blocklist.Blocklist;

final class Use {
  public static void main(String[] args) throws Exception {
    Blocklist list =
        Blocklist.builder().fpp(1e-6).block("mine", ".bücher.example").build().blocklist();
    System.out.println(
        list.check("www.xn--bcher-kva.example").isBlocked()
            + " "
            + list.check("example.org").isBlocked()
            + " "
            + list.check("bücher.example").isBlocked());
  }
}
