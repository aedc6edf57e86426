package dev.tamis.internal.bits;

import java.util.Optional;

/** Chooses the kernel for cache lines, once per JVM. */
final class LineKernels {

  private static final String MODULE = "jdk.incubator.vector";
  private static final String IN_VECTORS = "dev.tamis.internal.bits.VectorLineKernel";

  /** The fastest kernel of this JVM; a constant, so that its calls are monomorphic. */
  static final LineKernel FASTEST = inVectors().orElseGet(ScalarLineKernel::new);

  private LineKernels() {}

  /** Returns the vectorized kernel; empty without the module, or if vectors are too short. */
  private static Optional<LineKernel> inVectors() {
    Optional<Module> vectors = ModuleLayer.boot().findModule(MODULE);
    if (vectors.isEmpty()) {
      return Optional.empty();
    }
    // not required in module-info, because every compilation would then print a warning
    LineKernels.class.getModule().addReads(vectors.get());
    try {
      Class<?> kernel = Class.forName(IN_VECTORS);
      return Optional.of((LineKernel) kernel.getDeclaredConstructor().newInstance());
    } catch (ReflectiveOperationException | LinkageError e) {
      return Optional.empty();
    }
  }
}
