package dev.tamis.flink;

import org.apache.flink.api.java.functions.KeySelector;
import org.jspecify.annotations.Nullable;

/** Routes each element to the bucket of its key. */
final class BucketSelector<T> implements KeySelector<T, Integer> {

  private static final long serialVersionUID = 1;

  private final ElementHasher<T, ?> hasher;
  private final SeenParameters parameters;
  private transient @Nullable Buckets buckets;

  BucketSelector(ElementHasher<T, ?> hasher, SeenParameters parameters) {
    this.hasher = hasher;
    this.parameters = parameters;
  }

  @Override
  public Integer getKey(T element) throws Exception {
    Buckets split = buckets;
    if (split == null) {
      split = parameters.split();
      buckets = split;
    }
    return split.of(hasher.hash(element));
  }
}
