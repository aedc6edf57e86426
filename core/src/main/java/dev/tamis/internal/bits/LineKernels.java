package dev.tamis.internal.bits;

import java.util.Optional;

/** Chooses the kernel for lines, once. */
final class LineKernels {

  private static final String MODULE = "jdk.incubator.vector";
  private static final String IN_VECTORS = "dev.tamis.internal.bits.VectorLineKernel";

  /** The fastest that this JVM has; a constant, so that calls of it are bound when compiled. */
  static final LineKernel FASTEST = inVectors().orElseGet(ScalarLineKernel::new);

  private LineKernels() {}

  /**
   * Returns the kernel in vectors, or nothing where the JVM was started without the module or has
   * no vectors that are long enough.
   */
  private static Optional<LineKernel> inVectors() {
    Optional<Module> vectors = ModuleLayer.boot().findModule(MODULE);
    if (vectors.isEmpty()) {
      return Optional.empty();
    }
    // not required in module-info, because then every compilation would warn of it
    LineKernels.class.getModule().addReads(vectors.get());
    try {
      Class<?> kernel = Class.forName(IN_VECTORS);
      return Optional.of((LineKernel) kernel.getDeclaredConstructor().newInstance());
    } catch (ReflectiveOperationException | LinkageError e) {
      return Optional.empty();
    }
  }
}
