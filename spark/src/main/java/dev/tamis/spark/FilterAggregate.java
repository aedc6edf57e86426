package dev.tamis.spark;

import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.ImperativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.TypedImperativeAggregate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * A function of SQL that aggregates rows into the bytes of a filter.
 *
 * <p>Within a task the filter stays an object; between tasks it is its bytes.
 */
@SuppressWarnings("serial") // Spark's expressions declare no version either
abstract class FilterAggregate extends TypedImperativeAggregate<FilterAggregate.Buffer>
    implements FunctionCall {

  private final String name;
  private final Seq<Expression> arguments;
  private final int bufferOffset;
  private final int inputOffset;

  FilterAggregate(String name, Seq<Expression> arguments, int bufferOffset, int inputOffset) {
    this.name = name;
    this.arguments = arguments;
    this.bufferOffset = bufferOffset;
    this.inputOffset = inputOffset;
  }

  /** Returns the same function with others of these. */
  abstract FilterAggregate with(Seq<Expression> arguments, int bufferOffset, int inputOffset);

  abstract void add(Buffer buffer, InternalRow input) throws IOException;

  abstract byte @Nullable [] ofNothing();

  /** What a task has of a group: nothing yet, or a filter. */
  static final class Buffer {
    private @Nullable FilterBuffer<?> filter;

    /** Returns the filter, which is read from these bytes if there is none yet. */
    FilterBuffer<?> filter(byte[] start) throws IOException {
      if (filter == null) {
        filter = FilterBuffer.of(start);
      }
      return filter;
    }

    void merge(@Nullable FilterBuffer<?> other) {
      if (filter == null) {
        filter = other;
      } else if (other != null) {
        filter = filter.merge(other);
      }
    }
  }

  @Override
  public final String prettyName() {
    return name;
  }

  @Override
  public final Buffer createAggregationBuffer() {
    return new Buffer();
  }

  @Override
  public final Buffer update(Buffer buffer, InternalRow input) {
    try {
      add(buffer, input);
    } catch (IOException e) {
      throw new IllegalArgumentException(name + ": filter: " + e.getMessage(), e);
    }
    return buffer;
  }

  @Override
  public final Buffer merge(Buffer buffer, Buffer other) {
    buffer.merge(other.filter);
    return buffer;
  }

  @Override
  public final @Nullable Object eval(Buffer buffer) {
    return buffer.filter == null ? ofNothing() : buffer.filter.toByteArray();
  }

  @Override
  public final byte[] serialize(Buffer buffer) {
    return buffer.filter == null ? new byte[0] : buffer.filter.toByteArray();
  }

  @Override
  public final Buffer deserialize(byte[] bytes) {
    Buffer buffer = new Buffer();
    try {
      if (bytes.length > 0) {
        buffer.merge(FilterBuffer.of(bytes));
      }
    } catch (IOException e) {
      throw new IllegalStateException("what a task has filled is damaged", e);
    }
    return buffer;
  }

  @Override
  public final DataType dataType() {
    return DataTypes.BinaryType;
  }

  @Override
  public final Seq<Expression> children() {
    return arguments;
  }

  @Override
  public final Expression withNewChildrenInternal(IndexedSeq<Expression> arguments) {
    return with(arguments, bufferOffset, inputOffset);
  }

  @Override
  public final Expression clone() { // by reflection otherwise, on public constructors
    return with(Arguments.cloned(arguments), bufferOffset, inputOffset);
  }

  @Override
  public final int mutableAggBufferOffset() {
    return bufferOffset;
  }

  @Override
  public final ImperativeAggregate withNewMutableAggBufferOffset(int offset) {
    return with(arguments, offset, inputOffset);
  }

  @Override
  public final int inputAggBufferOffset() {
    return inputOffset;
  }

  @Override
  public final ImperativeAggregate withNewInputAggBufferOffset(int offset) {
    return with(arguments, bufferOffset, offset);
  }

  @Override
  public final List<Object> parts() {
    return List.of(arguments, bufferOffset, inputOffset);
  }

  @Override
  public final boolean equals(@Nullable Object object) {
    return isSameAs(object);
  }

  @Override
  public final int hashCode() {
    return super.hashCode(); // of the parts
  }
}
