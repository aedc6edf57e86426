package user;

import dev.tamis.spark.BuildResult;
import java.util.Optional;

/** Without Spark, which the cluster has: what needs none loads all the same. */
final class Use {
  public static void main(String[] args) {
    BuildResult<String> built = new BuildResult<>("", 1, 0, Optional.empty());
    System.out.println(
        (built.keys() == 1) + " " + built.warning().isPresent() + " " + built.contents().isEmpty());
  }
}
