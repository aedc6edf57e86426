package user;

import dev.tamis.cli.Main;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.List;

final class Use {
  public static void main(String[] args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayInputStream lines = new ByteArrayInputStream("a\nb\na\n".getBytes());
    int exit = Main.run(List.of("dedup", "-q"), lines, out, System.err);
    System.out.println((exit == 0) + " " + (exit == 2) + " " + out.toString().equals("a\nb\n"));
  }
}
