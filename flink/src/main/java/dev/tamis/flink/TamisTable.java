package dev.tamis.flink;

import org.apache.flink.table.api.TableEnvironment;

/** The functions of Tamis for Flink's Table API and SQL. */
public final class TamisTable {

  /** The name of {@link BuildFunction}. */
  public static final String BUILD = "TAMIS_BUILD";

  /** The name of {@link MightContainFunction}. */
  public static final String MIGHT_CONTAIN = "TAMIS_MIGHT_CONTAIN";

  private TamisTable() {}

  /** Makes {@value #BUILD} and {@value #MIGHT_CONTAIN} known to an environment, for its session. */
  public static void register(TableEnvironment environment) {
    environment.createTemporarySystemFunction(BUILD, BuildFunction.class);
    environment.createTemporarySystemFunction(MIGHT_CONTAIN, MightContainFunction.class);
  }
}
