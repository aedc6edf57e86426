package dev.tamis.spark;

import java.util.Map;
import org.apache.spark.sql.RuntimeConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The same functions where Spark generates no code. */
class InterpretedSqlTest extends SqlTest {

  private static final Map<String, String> SETTINGS =
      Map.of(
          "spark.sql.codegen.wholeStage", "false",
          "spark.sql.codegen.factoryMode", "NO_CODEGEN");

  @BeforeAll
  static void interpret() {
    RuntimeConfig session = LocalSpark.session().conf();
    SETTINGS.forEach(session::set);
  }

  @AfterAll
  static void restore() {
    RuntimeConfig session = LocalSpark.session().conf();
    SETTINGS.keySet().forEach(session::unset);
  }
}
