package dev.tamis.examples.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import dev.tamis.MutableFilter;
import dev.tamis.file.FilterFile;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.interop.ForeignFilters;
import dev.tamis.interop.GuavaBloomFilter;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs in docs/from-guava.md and docs/from-redisson.md, next to Guava's own. */
class MigrationTest {

  @TempDir Path folder;

  // region person
  record Person(String name, int born) {}

  static final KeyHasher<Person> PEOPLE =
      KeyHasher.fields(
          KeyHasher.text().on(Person::name), //
          KeyHasher.ints().on(Person::born));

  // end person

  @Test
  @SuppressWarnings("deprecation") // Guava's Predicate, which the page is about
  void theCallsOfBothSideBySide() throws IOException {
    // region theirs
    com.google.common.hash.BloomFilter<CharSequence> theirs =
        com.google.common.hash.BloomFilter.create(Funnels.stringFunnel(UTF_8), 1_000_000, 0.01);
    theirs.put("ann");
    boolean theirAnswer = theirs.mightContain("ann");
    long theirCount = theirs.approximateElementCount();
    // end theirs
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    // region ours
    BloomFilter<CharSequence> ours = BloomFilter.create(KeyHasher.text(), 1_000_000, 0.01);
    ours.put("ann");
    boolean ourAnswer = ours.mightContain("ann");
    long ourCount = ours.approximateElementCount().rounded();
    ours.writeTo(out);
    InputStream in = new ByteArrayInputStream(out.toByteArray());
    BloomFilter<CharSequence> read = BloomFilter.readFrom(in, KeyHasher.text(), 64 << 20);
    Predicate<CharSequence> predicate = ours::mightContain;
    // end ours
    assertThat(ourAnswer).isEqualTo(theirAnswer);
    assertThat(ourCount).isEqualTo(theirCount);
    assertThat(read).isEqualTo(ours);
    assertThat(predicate.test("bob")).isEqualTo(theirs.test("bob"));
  }

  @Test
  @SuppressWarnings("NullAway") // Guava's funnels say that a key may be null
  void aRecordIsAKeyInBoth() {
    Funnel<Person> funnel =
        (person, sink) -> sink.putString(person.name(), UTF_8).putInt(person.born());
    var theirs = com.google.common.hash.BloomFilter.create(funnel, 100, 0.001);
    BloomFilter<Person> ours = BloomFilter.create(PEOPLE, 100, 0.001);
    Person ann = new Person("ann", 1970);
    theirs.put(ann);
    ours.put(ann);
    assertThat(ours.mightContain(ann)).isTrue();
    assertThat(ours.mightContain(new Person("ann", 1971)))
        .isEqualTo(theirs.mightContain(new Person("ann", 1971)));
  }

  @Test
  void aFileOfGuavasIsReadAndWritten() throws IOException {
    Path file = folder.resolve("users.guava");
    var theirs =
        com.google.common.hash.BloomFilter.create(Funnels.stringFunnel(UTF_8), 1_000, 0.001);
    theirs.put("ann");
    try (OutputStream out = Files.newOutputStream(file)) {
      theirs.writeTo(out);
    }
    Path saved = folder.resolve("users.tamis");
    // region file
    GuavaBloomFilter<CharSequence> users;
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      users = GuavaBloomFilter.readFrom(in, KeyHasher.text(), 64 << 20); // at most 64 MiB
    }
    users.put("bob");
    FilterFile.save(saved, users); // with a checksum, for tamis check and info
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      users.writeForeignTo(out); // Guava reads this
    }
    // end file
    theirs.put("bob");
    try (InputStream in = Files.newInputStream(file)) {
      assertThat(com.google.common.hash.BloomFilter.readFrom(in, Funnels.stringFunnel(UTF_8)))
          .isEqualTo(theirs);
    }
    try (InputStream in = Files.newInputStream(saved)) {
      assertThat(ForeignFilters.readFrom(in, KeyHasher.text(), 64 << 20).mightContain("bob"))
          .isTrue();
    }
  }

  @Test
  void aFilterOfGuavasIsReplacedKeyByKey() {
    var theirs =
        com.google.common.hash.BloomFilter.create(Funnels.stringFunnel(UTF_8), 1_000, 0.001);
    theirs.put("ann");
    BloomFilter<CharSequence> ours = BloomFilter.create(KeyHasher.text(), 1_000, 0.001);
    // region transition
    Successor<CharSequence> both = new Successor<>(theirs::mightContain, ours);
    // end transition
    assertThat(both.put("ann")).isFalse();
    assertThat(both.put("bob")).isTrue();
    assertThat(both.put("bob")).isFalse();
    assertThat(ours.mightContain("ann")).isTrue();
  }

  // region successor
  /** Queries two filters and puts into the second, until the first is no longer needed. */
  record Successor<T>(Predicate<T> old, MutableFilter<T> current) {

    boolean put(T key) {
      return current.put(key) && !old.test(key);
    }

    boolean mightContain(T key) {
      return current.mightContain(key) || old.test(key);
    }
  }

  // end successor

  @Test
  void aFilterIsRebuiltFromTheKeys() throws IOException {
    Path keys = Files.writeString(folder.resolve("keys.txt"), "ann\nbob\n", UTF_8);
    // region rebuild
    BloomFilter<String> users;
    try (Stream<String> lines = Files.lines(keys)) {
      users = lines.collect(BloomFilter.toBloomFilter(KeyHasher.text(), 1_000_000, 0.01));
    }
    // end rebuild
    assertThat(List.of("ann", "bob")).allMatch(users::mightContain);
    Set<String> old = new HashSet<>(List.of("cid"));
    Successor<String> both = new Successor<>(old::contains, users);
    assertThat(both.mightContain("cid")).isTrue();
    assertThat(both.mightContain("dan")).isFalse();
  }
}
