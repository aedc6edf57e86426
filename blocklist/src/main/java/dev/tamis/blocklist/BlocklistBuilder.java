package dev.tamis.blocklist;

import static java.util.Objects.requireNonNull;

import dev.tamis.blocklist.Blocklist.Allowlist;
import dev.tamis.blocklist.Blocklist.Finding;
import dev.tamis.blocklist.Blocklist.Verdict;
import dev.tamis.blocklist.BuildSummary.LineCounts;
import dev.tamis.blocklist.ListReader.Examples;
import dev.tamis.blocklist.ListedKeys.ExactHashes;
import dev.tamis.filter.FuseFilter;
import dev.tamis.filter.FuseFilterBuilder;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Checks;
import dev.tamis.sizing.FuseSizing;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Takes lists, allow entries and known-good queries, and builds a {@link Blocklist} of them.
 *
 * <p>A line of a list is one of these; whatever follows {@code #} at its start or after a space is
 * a comment, and so is a line that starts with {@code !}:
 *
 * <pre>
 * user@example.com       that address
 * example.com            that host and every address and URL at it; also written @example.com
 * .example.com           the domain, all below it, every address and URL at any of them
 * *.example.com          all below the domain, not the domain itself
 * 192.0.2.7              that IP address and what is at it; also 2001:db8::7
 * 192.0.2.0/24           that network: no bits after the prefix; also 2001:db8::/32
 * http://example.com/x   that URL at that host, with any query, and all below /x/; the scheme, which
 *                        makes no difference, may be missing
 * http://example.com/x/  the URLs at that host that are below /x/
 * http://example.com/?x  that URL with that query
 * ||example.com^         as .example.com: the domain rule of ad blockers
 * ||example.com/x^       as http://example.com/x, at the domain and all below it
 * 0.0.0.0 example.com    as example.com: a hosts file, which may have several names on a line
 * </pre>
 *
 * <p>A public suffix, such as {@code co.uk}, is refused, and so is the network of all addresses.
 *
 * <p>Only hashes of entries are kept, 8.5 bytes for each, so a list may be much larger than the
 * memory. Building takes the finished filters in addition, and 100 MB at most; {@link #exact}
 * another 8 bytes an entry.
 *
 * <p>Not safe for concurrent use.
 */
public final class BlocklistBuilder {

  /** The most lists of one block list: a query looks into each of them. */
  public static final int MAX_LISTS = 256;

  static final int MAX_NAME_BYTES = 255;

  private final KeyHasher<CharSequence> hasher;
  private final Map<String, ListInProgress> lists = new LinkedHashMap<>();
  private final Allowlist allowlist = new Allowlist();
  private final List<Path> knownGood = new ArrayList<>();
  private final Examples bad = new Examples();
  private OptionalDouble fpp = OptionalDouble.empty();
  private boolean ignoresTags;
  private boolean exact;
  private boolean skipsBadLines;
  private final Map<BadLineReason, Long> badReasons = new EnumMap<>(BadLineReason.class);
  private LineCounts listLines = LineCounts.NONE;
  private LineCounts allowLines = LineCounts.NONE;
  private long parsedEntries;
  private boolean built;

  BlocklistBuilder(KeyHasher<CharSequence> hasher) {
    this.hasher = hasher;
  }

  /**
   * Sets p, the false-positive probability of a query over all lists and entries that it is looked
   * up under, in (0, 1); required.
   */
  public BlocklistBuilder fpp(double fpp) {
    this.fpp = OptionalDouble.of(Checks.fpp(fpp));
    return this;
  }

  /**
   * Makes queries match entries without their tag (subaddress) too: {@code user@example.com} also
   * matches {@code user+anything@example.com}. An entry with a tag matches only itself.
   */
  public BlocklistBuilder ignoreTags() {
    ignoresTags = true;
    return this;
  }

  /**
   * Adds the exact hashes of all entries, 8 bytes each, which confirm {@link Verdict#BLOCKED}. A
   * loaded block list leaves them on the disk.
   */
  public BlocklistBuilder exact() {
    exact = true;
    return this;
  }

  /** Skips and counts lines that are not entries, which are otherwise refused. */
  public BlocklistBuilder skipBadLines() {
    skipsBadLines = true;
    return this;
  }

  /**
   * Puts an entry on a list.
   *
   * @param list the name of the list, 1 to 255 bytes of text without control characters
   * @throws IllegalArgumentException if it is not an entry, or there are 256 lists already
   */
  public BlocklistBuilder block(String list, String entry) {
    if (!blockLine(list(list), entry)) {
      throw Refusal.of(entry, "an entry");
    }
    return this;
  }

  /**
   * Puts the lines of a file on a list.
   *
   * @throws BadLinesException naming lines that are not entries; nothing can be built then
   * @throws FileSystemException if the file cannot be read
   */
  public BlocklistBuilder block(String list, Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return block(list, file.toString(), in);
    }
  }

  /** Puts the lines of a stream, which is left open, on a list; messages name {@code source}. */
  public BlocklistBuilder block(String list, String source, InputStream in) throws IOException {
    ListInProgress keys = list(list);
    Examples badHere = new Examples();
    listLines =
        listLines.plus(
            ListReader.read(source, in, badHere, (line, number) -> blockLine(keys, line)));
    badHere.reasons().forEach((reason, count) -> badReasons.merge(reason, count, Long::sum));
    bad.addAll(badHere);
    refuseBadLines();
    return this;
  }

  private boolean blockLine(ListInProgress list, String line) {
    List<ListEntry> entries = ListLine.parse(line);
    entries.forEach(entry -> entry.requireNarrow(line));
    entries.forEach(list::put);
    parsedEntries += entries.size();
    return !entries.isEmpty();
  }

  private ListInProgress list(String name) {
    if (!lists.containsKey(name)) {
      requireName(name);
      if (lists.size() == MAX_LISTS) {
        throw new IllegalArgumentException("lists must be at most " + MAX_LISTS + ", got one more");
      }
    }
    return lists.computeIfAbsent(name, unused -> new ListInProgress(name, hasher));
  }

  /** Returns {@code name} if a list can have it. */
  static String requireName(String name) {
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes < 1 || bytes > MAX_NAME_BYTES || name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "the name of a list must be 1 to 255 bytes without control characters, got "
              + Refusal.quoted(name));
    }
    return name;
  }

  /**
   * Allows what an entry matches, whatever lists have; the forms are those of lists.
   *
   * @throws IllegalArgumentException if it is not an entry
   */
  public BlocklistBuilder allow(String entry) {
    if (!allowLine(entry)) {
      throw Refusal.of(entry, "an entry");
    }
    return this;
  }

  /**
   * Allows the entries in the lines of a file.
   *
   * @throws BadLinesException naming lines that are not entries; nothing can be built then
   * @throws FileSystemException if the file cannot be read
   */
  public BlocklistBuilder allow(Path file) throws IOException {
    allowLines = allowLines.plus(read(file, (line, number) -> allowLine(line)));
    refuseBadLines();
    return this;
  }

  private boolean allowLine(String line) {
    List<ListEntry> entries = ListLine.parse(line);
    entries.forEach(entry -> allowlist.put(entry, Finding.Kind.ALLOWED));
    return !entries.isEmpty();
  }

  /**
   * Adds a file of addresses and hosts, one per line, that must not be blocked, read by {@link
   * #build}. False positives become exceptions; what is really listed is allowed and reported.
   */
  public BlocklistBuilder knownGood(Path file) {
    knownGood.add(requireNonNull(file, "file"));
    return this;
  }

  /**
   * Builds the block list. The builder cannot be used again.
   *
   * @throws BadLinesException naming lines of known-good files that are neither addresses nor hosts
   * @throws FileSystemException if a known-good file cannot be read
   * @throws IllegalStateException if the fpp is not set, or this has been called before
   * @throws IllegalArgumentException if the fpp is too small for the number of lists and forms
   */
  public Built build() throws IOException {
    if (built) {
      throw new IllegalStateException("build() can be called once");
    }
    refuseBadLines();
    built = true;
    HashFunction hash = BoundHasher.of(hasher, 0).function();
    double fppOfKey = fppOfKey();
    List<ListInProgress> inProgress = List.copyOf(lists.values());
    List<ListedKeys> listed = inProgress.stream().map(list -> list.build(fppOfKey)).toList();
    KnownGood good = new KnownGood(new Blocklist(hash, fpp(), ignoresTags, allowlist, listed));
    LineCounts goodLines = readKnownGood(good);
    List<long[]> exceptions = new ArrayList<>();
    List<ListedKeys> finished = new ArrayList<>();
    for (int i = 0; i < listed.size(); i++) {
      exceptions.add(inProgress.get(i).unlisted(good.hashes(i)));
      finished.add(listed.get(i).with(exceptions.get(i), exact ? inProgress.get(i).exact() : null));
    }
    Examples conflicts = new Examples();
    good.allow(exceptions, conflicts);
    lists.clear();
    return new Built(
        new Blocklist(hash, fpp(), ignoresTags, allowlist, finished),
        new BuildSummary(
            listLines,
            allowLines,
            goodLines,
            parsedEntries,
            good.count() - conflicts.count(),
            conflicts.count(),
            badReasons,
            bad.kept(),
            conflicts.kept()));
  }

  private double fpp() {
    return fpp.orElseThrow(() -> new IllegalStateException("call fpp(probability) first"));
  }

  /** Returns the fpp of one lookup, of the most that a query makes. */
  private double fppOfKey() {
    int most = Stream.of(KeyForms.QueryKind.values()).mapToInt(this::mostKeys).max().orElse(0);
    double fppOfKey = fpp() / Math.max(1, most);
    double least = Math.scalb(1.0, -FuseSizing.MAX_FINGERPRINT_BITS);
    if (fppOfKey < least) {
      String rule = "fpp must be at least " + most * least + " for " + most + " lookups in filters";
      throw new IllegalArgumentException(rule + ", got " + fpp());
    }
    return fppOfKey;
  }

  private int mostKeys(KeyForms.QueryKind kind) {
    return lists.values().stream().mapToInt(list -> list.forms().mostKeys(kind, ignoresTags)).sum();
  }

  private LineCounts readKnownGood(KnownGood good) throws IOException {
    LineCounts counts = LineCounts.NONE;
    for (Path file : knownGood) {
      counts =
          counts.plus(read(file, (line, number) -> knownGoodLine(good, file + ":" + number, line)));
    }
    refuseBadLines();
    return counts;
  }

  private LineCounts read(Path file, ListReader.LineAction action) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return ListReader.read(file.toString(), in, bad, action);
    }
  }

  private static boolean knownGoodLine(KnownGood good, String where, String line) {
    String text = line.strip();
    if (text.isEmpty() || text.startsWith("#")) {
      return false;
    }
    Subject subject = Subject.parse(text);
    ListEntry.parse(subject.toString()); // what it is allowed by, if need be
    good.take(where, subject);
    return true;
  }

  private void refuseBadLines() throws BadLinesException {
    if (bad.count() > 0 && !skipsBadLines) {
      throw new BadLinesException(bad.count(), bad.kept());
    }
  }

  /** One list while its entries come: their hashes. */
  private static final class ListInProgress {

    private static final int ARITY = 4;

    private final String name;
    private final FuseFilterBuilder<CharSequence> keys;
    private KeyForms forms = KeyForms.NONE;

    ListInProgress(String name, KeyHasher<CharSequence> hasher) {
      this.name = name;
      this.keys = FuseFilter.<CharSequence>builder(hasher).arity(ARITY);
    }

    void put(ListEntry entry) {
      forms = forms.and(entry);
      keys.put(entry.text());
    }

    KeyForms forms() {
      return forms;
    }

    ListedKeys build(double fppOfKey) {
      return new ListedKeys(name, forms, keys.fpp(fppOfKey).build(), new long[0], null);
    }

    /** Returns those of {@code candidates} that are the hash of no entry, ascending. */
    long[] unlisted(long[] candidates) {
      long[] sorted = Arrays.stream(candidates).sorted().distinct().toArray();
      BitSet listed = new BitSet();
      if (sorted.length > 0) {
        keys.forEachHash(
            hash -> {
              int at = Arrays.binarySearch(sorted, hash);
              if (at >= 0) {
                listed.set(at);
              }
            });
      }
      return IntStream.range(0, sorted.length)
          .filter(i -> !listed.get(i))
          .mapToLong(i -> sorted[i])
          .toArray();
    }

    ExactHashes exact() {
      long count = keys.distinctKeys();
      List<ByteBuffer> parts = new ArrayList<>();
      for (long left = count; left > 0; left -= ExactHashes.PART_HASHES) {
        int bytes = (int) Math.min(left, ExactHashes.PART_HASHES) * Long.BYTES;
        parts.add(ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN));
      }
      long[] next = {0};
      keys.forEachHash(
          hash -> parts.get((int) (next[0]++ / ExactHashes.PART_HASHES)).putLong(hash));
      parts.forEach(ByteBuffer::flip);
      return new ExactHashes(parts, count);
    }
  }

  /** Result of a build: the block list, and a summary of what became of every line. */
  public record Built(Blocklist blocklist, BuildSummary summary) {}
}
