package dev.tamis.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.HashedFilter;
import dev.tamis.Keys;
import dev.tamis.Parts;
import dev.tamis.filter.FilterView;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;

/** What must hold of a view, whatever the bytes: it takes what the reader of streams takes. */
final class FuzzedView {

  private static final int ANSWERS = 50;

  private FuzzedView() {}

  /**
   * Opens the bytes in place. They are taken if they are one filter of a kind for that, and in no
   * other case, but that the payload's checksum is verified only on request.
   *
   * @param partBytes the size of a buffer
   */
  static void check(byte[] bytes, int partBytes) {
    FilterView<CharSequence> view;
    try {
      view = FilterView.of(Parts.of(bytes, partBytes), KeyHasher.text());
    } catch (FormatException e) {
      assertThat(isRightlyRefused(bytes)).as("refused: %s", e.getMessage()).isTrue();
      return;
    } catch (IOException e) {
      throw new AssertionError("the bytes themselves cannot fail", e);
    }
    assertThat(view.toByteArray()).isEqualTo(bytes);
    try {
      checkAnswers(view, Bytes.read(bytes));
      view.verifyChecksum();
    } catch (FormatException e) {
      assertThat(e).hasMessageContaining(": checksum at byte ");
      assertThatThrownBy(view::verifyChecksum)
          .isInstanceOf(FormatException.class)
          .hasMessage(e.getMessage());
    } catch (IOException e) {
      throw new AssertionError("the bytes themselves cannot fail", e);
    }
  }

  private static void checkAnswers(
      FilterView<CharSequence> view, HashedFilter<? super CharSequence> filter) {
    assertThat(Keys.hashes(1, ANSWERS))
        .allMatch(hash -> view.mightContainHash(hash) == filter.mightContainHash(hash));
    assertThat(view.expectedFpp()).isEqualTo(filter.expectedFpp());
    assertThat(view.approximateElementCount()).isEqualTo(filter.approximateElementCount());
    assertThat(view.bitSize()).isEqualTo(filter.bitSize());
    assertThat(view.hashId()).isEqualTo(filter.hashId());
  }

  /** Returns whether a stream is refused too, or holds another kind, or goes on. */
  private static boolean isRightlyRefused(byte[] bytes) {
    ByteArrayInputStream in = new ByteArrayInputStream(bytes);
    try {
      Bytes.readAny(in, Instant.EPOCH);
    } catch (IOException e) {
      return true;
    }
    return in.available() > 0
        || FilterView.KINDS.stream()
            .noneMatch(kind -> kind.id() == ReferenceFrame.get(bytes, Frame.KIND_AT, 2));
  }
}
