package dev.tamis.blocklist;

import dev.tamis.hash.HashFunction;
import dev.tamis.hash.HashId;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Lists of addresses and domains to block, in about a byte an entry, and what is allowed anyway.
 *
 * <p>Choose it when lists are large, or asked by many processes, and one question in a hundred or a
 * million may wrongly be told "probably blocked". Nothing that is listed is ever missed. Known-good
 * addresses that were given when it was built are never blocked.
 *
 * <pre>{@code
 * Blocklist blocklist = Blocklist.load(path);
 * if (blocklist.check("someone@mail.example.com").isBlocked()) {
 *   refuse();
 * }
 * }</pre>
 *
 * <p>A question is an address or a host. It is looked for as it is and, for the forms of entries
 * that the lists have, under its host and each domain above. Case, a dot at the end and the
 * spelling of international names make no difference.
 *
 * <p>Immutable, so safe for any number of threads. A question costs about a hundred nanoseconds for
 * each entry it could match.
 */
public final class Blocklist {

  /** How every key is hashed. */
  static final HashFunction HASH = HashFunction.xxh3(0);

  static final HashId HASH_ID = HASH.id();

  private final double fpp;
  private final boolean ignoresTags;
  private final Allowlist allowlist;
  private final List<ListedKeys> lists;
  private final KeyForms forms;

  Blocklist(double fpp, boolean ignoresTags, Allowlist allowlist, List<ListedKeys> lists) {
    this.fpp = fpp;
    this.ignoresTags = ignoresTags;
    this.allowlist = allowlist;
    this.lists = List.copyOf(lists);
    this.forms = lists.stream().map(ListedKeys::forms).reduce(KeyForms.NONE, KeyForms::and);
  }

  /** Starts a block list. */
  public static BlocklistBuilder builder() {
    return new BlocklistBuilder();
  }

  /**
   * Reads what {@link #save} wrote, with every check. Takes as much memory as the filters in the
   * file and about 150 bytes for each allow entry; exact hashes stay in the file, which must not be
   * written over, only replaced.
   *
   * @throws FileSystemException if the file cannot be read, or is not a block list or damaged
   */
  public static Blocklist load(Path path) throws IOException {
    return BlocklistReader.read(path);
  }

  /**
   * Writes this to a file, which is replaced as a whole or stays as it was.
   *
   * @throws FileSystemException if the file cannot be written
   */
  public void save(Path path) throws IOException {
    BlocklistWriter.write(path, this);
  }

  /**
   * Returns whether an address or a host is blocked.
   *
   * @throws IllegalArgumentException if it is neither; nothing of the kind is on a list, and the
   *     caller decides
   */
  public Verdict check(String addressOrHost) {
    Subject subject = Subject.parse(addressOrHost);
    if (allowlist.admits(subject, ignoresTags)) {
      return Verdict.ALLOWED;
    }
    Verdict verdict = Verdict.UNLISTED;
    for (Key key : forms.keys(subject, ignoresTags)) {
      long hash = HASH.hashText(key.text());
      for (ListedKeys list : lists) {
        if (list.mightContain(key, hash)) {
          Finding.Kind found = list.judge(hash);
          if (found == Finding.Kind.LISTED) {
            return Verdict.BLOCKED;
          }
          if (found == Finding.Kind.PROBABLY_LISTED) {
            verdict = Verdict.PROBABLY_BLOCKED;
          }
        }
      }
    }
    return verdict;
  }

  /**
   * Returns what {@link #check} does, and why: every list that has an entry that matches, and the
   * entry.
   *
   * @throws IllegalArgumentException if it is neither an address nor a host
   */
  public Explanation explain(String addressOrHost) {
    Subject subject = Subject.parse(addressOrHost);
    List<Finding> findings = new ArrayList<>(allowlist.findings(subject, ignoresTags));
    for (Key key : forms.keys(subject, ignoresTags)) {
      long hash = HASH.hashText(key.text());
      for (ListedKeys list : lists) {
        if (list.mightContain(key, hash)) {
          findings.add(new Finding(list.tag(), key.form(), key.text(), list.judge(hash)));
        }
      }
    }
    return new Explanation(subject.toString(), check(addressOrHost), findings);
  }

  /** Returns p, the fpp asked for. */
  public double fpp() {
    return fpp;
  }

  /**
   * Returns the most probable error: the probability that a question which is on no list, and was
   * not given as known good, is blocked if it is looked for under as many entries as can be.
   */
  public double expectedFpp() {
    double logOfRight = 0;
    for (ListedKeys list : lists) {
      double wrong =
          list.exact() == null
              ? list.filter().expectedFpp()
              : Math.scalb((double) list.exact().count(), -Long.SIZE);
      logOfRight += Math.log1p(-wrong) * list.forms().mostKeys(ignoresTags);
    }
    return 0.0 - Math.expm1(logOfRight); // and not minus zero
  }

  /** Returns whether what follows a plus sign before the at sign of a question may be left out. */
  public boolean ignoresTags() {
    return ignoresTags;
  }

  /** Returns whether exact hashes confirm or refute what the filters say. */
  public boolean isExact() {
    return !lists.isEmpty() && lists.get(0).exact() != null;
  }

  /** Returns the tags of the lists, in their order. */
  public List<String> tags() {
    return lists.stream().map(ListedKeys::tag).toList();
  }

  /** Returns the distinct entries of all lists; an entry of two lists counts twice. */
  public long entries() {
    return lists.stream().mapToLong(list -> list.filter().keys()).sum();
  }

  /** Returns the allow entries. */
  public int allowEntries() {
    return allowlist.entries().size();
  }

  /** Returns the false positives of the filters that are known and left out. */
  public long exceptions() {
    return lists.stream().mapToLong(list -> list.exceptions().length).sum();
  }

  /** Returns the memory of the filters and the exceptions, in bytes; allow entries come on top. */
  public long memoryBytes() {
    long filters = lists.stream().mapToLong(list -> list.filter().bitSize() / Byte.SIZE).sum();
    return filters + exceptions() * Long.BYTES;
  }

  Allowlist allowlist() {
    return allowlist;
  }

  List<ListedKeys> lists() {
    return lists;
  }

  KeyForms forms() {
    return forms;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "Blocklist(lists=%s, entries=%d, allow=%d, exceptions=%d, fpp=%s, exact=%s)",
        tags(),
        entries(),
        allowEntries(),
        exceptions(),
        fpp,
        isExact());
  }
}
