package dev.tamis.blocklist;

import dev.tamis.hash.HashFunction;
import dev.tamis.hash.HashId;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Lists of addresses, domains, networks and URLs to block, and what is allowed anyway.
 *
 * <p>Choose it when lists are large, or queried by many processes, and one query in a hundred or a
 * million may wrongly return "probably blocked": an entry takes about a byte. Nothing that is
 * listed is ever missed. Known-good addresses that were given when it was built are never blocked.
 *
 * <pre>{@code
 * Blocklist blocklist = Blocklist.load(path);
 * if (blocklist.check("someone@mail.example.com").isBlocked()) {
 *   refuse();
 * }
 * }</pre>
 *
 * <p>A query is an address, a host, an IP address or a URL. It is looked up as it is and, for the
 * forms of entries that the lists have, under its host and each domain above, the networks that
 * contain it, and the directories of its path. Case, a dot at the end, the spelling of
 * international names and needless escapes in URLs make no difference.
 *
 * <p>The hash is public unless there is a secret key, so that files can be exchanged: with the
 * entries, queries that are blocked by mistake can be found. Where that is a danger, build and load
 * with a {@link HashKey}; listed entries are blocked the same way with any key.
 *
 * <p>Immutable, so safe for any number of threads. A query costs about a hundred nanoseconds for
 * each entry it could match.
 */
public final class Blocklist {

  private final HashFunction hash;
  private final double fpp;
  private final boolean ignoresTags;
  private final Allowlist allowlist;
  private final List<ListedKeys> lists;
  private final KeyForms forms;

  /** Puts the parts together; {@code hash} is that of the keys of all lists. */
  Blocklist(
      HashFunction hash,
      double fpp,
      boolean ignoresTags,
      Allowlist allowlist,
      List<ListedKeys> lists) {
    this.hash = hash;
    this.fpp = fpp;
    this.ignoresTags = ignoresTags;
    this.allowlist = allowlist;
    this.lists = List.copyOf(lists);
    this.forms = lists.stream().map(ListedKeys::forms).reduce(KeyForms.NONE, KeyForms::and);
  }

  /** Returns a builder of a block list with a public hash. */
  public static BlocklistBuilder builder() {
    return new BlocklistBuilder(KeyHasher.text());
  }

  /**
   * Returns a builder of a block list whose hash has a secret key, without which it cannot be read.
   * Choose it where those who are checked must not be able to find false positives.
   */
  public static BlocklistBuilder builder(HashKey key) {
    return new BlocklistBuilder(KeyHasher.text().keyedBy(key));
  }

  /**
   * Reads what {@link #save} wrote, with every check. Takes as much memory as the filters in the
   * file and about 150 bytes for each allow entry; exact hashes stay in the file, which must not be
   * written over, only replaced.
   *
   * @throws FileSystemException if the file cannot be read, is not a block list or damaged, or has
   *     a secret key
   */
  public static Blocklist load(Path path) throws IOException {
    return BlocklistReader.read(path, KeyHasher.text());
  }

  /**
   * Reads a file whose hash has a secret key, as {@link #load(Path)} does.
   *
   * @throws FileSystemException as there, and, naming both ids, if the file has another key or none
   */
  public static Blocklist load(Path path, HashKey key) throws IOException {
    return BlocklistReader.read(path, KeyHasher.text().keyedBy(key));
  }

  /**
   * Returns how the keys of a file are hashed, with the id of its secret key if it has one. Reads
   * the header alone, so the rest may be damaged.
   *
   * @throws FileSystemException if the file cannot be read, or does not begin as a block list does
   */
  public static HashId hashIdOf(Path path) throws IOException {
    return BlocklistReader.hashId(path);
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
   * Returns whether an address, a host, an IP address or a URL is blocked.
   *
   * @throws IllegalArgumentException if it is something else, which no list contains
   */
  public Verdict check(String query) {
    Subject subject = Subject.parse(query);
    if (allowlist.admits(subject, ignoresTags)) {
      return Verdict.ALLOWED;
    }
    Verdict verdict = Verdict.UNLISTED;
    for (KeyForms.Key key : forms.keys(subject, ignoresTags)) {
      long hashed = hash.hashText(key.text());
      for (ListedKeys list : lists) {
        if (list.mightContain(key, hashed)) {
          Finding.Kind found = list.judge(hashed);
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
   * Returns the verdict of {@link #check} and the reasons: every entry that matches, with its list.
   *
   * @throws IllegalArgumentException if it is neither an address nor a host nor a URL
   */
  public Explanation explain(String query) {
    Subject subject = Subject.parse(query);
    List<Finding> findings = new ArrayList<>(allowlist.findings(subject, ignoresTags));
    for (KeyForms.Key key : forms.keys(subject, ignoresTags)) {
      long hashed = hash.hashText(key.text());
      for (ListedKeys list : lists) {
        if (list.mightContain(key, hashed)) {
          findings.add(new Finding(list.name(), key.form(), key.text(), list.judge(hashed)));
        }
      }
    }
    return new Explanation(subject.toString(), check(query), findings);
  }

  /** Returns how keys are hashed, with the id of the secret key if there is one. */
  public HashId hashId() {
    return hash.id();
  }

  /** Returns p, the requested fpp. */
  public double fpp() {
    return fpp;
  }

  /**
   * Returns the most probable error: the probability that a query which is on no list, and was not
   * given as known good, is blocked if it is looked up under as many entries as possible.
   */
  public double expectedFpp() {
    double least = 0;
    double[] logsOfRight = lists.stream().mapToDouble(ListedKeys::logOfRight).toArray();
    for (KeyForms.QueryKind kind : KeyForms.QueryKind.values()) {
      double logOfRight = 0;
      for (int i = 0; i < logsOfRight.length; i++) {
        logOfRight += logsOfRight[i] * lists.get(i).forms().mostKeys(kind, ignoresTags);
      }
      least = Math.min(least, logOfRight);
    }
    return 0.0 - Math.expm1(least); // and not minus zero
  }

  /** Returns whether the tag of an address, from a plus sign to the at sign, may be ignored. */
  public boolean ignoresTags() {
    return ignoresTags;
  }

  /** Returns whether exact hashes confirm or refute what the filters say. */
  public boolean isExact() {
    return !lists.isEmpty() && lists.get(0).exact() != null;
  }

  /** Returns the names of the lists, in their order. */
  public List<String> listNames() {
    return lists.stream().map(ListedKeys::name).toList();
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

  HashFunction hash() {
    return hash;
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
        "Blocklist(lists=%s, entries=%d, allow=%d, exceptions=%d, fpp=%s, exact=%s, hash=%s)",
        listNames(),
        entries(),
        allowEntries(),
        exceptions(),
        fpp,
        isExact(),
        hashId());
  }

  /** What an entry of a list matches. */
  public enum Form {
    /** One address: {@code user@example.com}. */
    ADDRESS,

    /** One host or IP address, and every address and URL at it: {@code example.com}. */
    HOST,

    /** A domain and all below it, and every address and URL at them: {@code .example.com}. */
    WHOLE_DOMAIN,

    /** All that is below a domain, not the domain itself: {@code *.example.com}. */
    SUBDOMAINS,

    /** The IP addresses of a network, and every address and URL at them: {@code 192.0.2.0/24}. */
    NETWORK,

    /** A URL of one host and all below it, or with its query: {@code //example.com/path}. */
    URL,

    /** The same for a domain and all below it: {@code ||example.com/path}. */
    DOMAIN_URL
  }

  /**
   * One entry that matched a query, or seemed to.
   *
   * @param list the name of the list; {@code allow} for allow entries
   * @param entry the entry as a list would have it, such as {@code .example.com}
   */
  public record Finding(String list, Form form, String entry, Kind kind) {

    /** What is known of an entry that a query matches. */
    public enum Kind {
      /** An allow entry written by hand. */
      ALLOWED,

      /** An allow entry made because a known-good line is really on a list. */
      KNOWN_GOOD,

      /** On the list, as the exact hashes say. */
      LISTED,

      /** On the list, but for the fpp of the filter. */
      PROBABLY_LISTED,

      /** The filter takes it for listed, but it is known not to be. */
      FALSE_POSITIVE
    }
  }

  /**
   * Why a query, given in canonical form, has its verdict.
   *
   * @param findings every entry that matched, allow entries first
   */
  public record Explanation(String query, Verdict verdict, List<Finding> findings) {

    public Explanation {
      findings = List.copyOf(findings);
    }
  }

  /** What a block list says of a query. */
  public enum Verdict {
    /** An allow entry matches, whatever the lists say. */
    ALLOWED,

    /** It is on a list; the exact hashes in the file confirm it. */
    BLOCKED,

    /** A filter says that it is on a list, and there are no exact hashes to confirm it. */
    PROBABLY_BLOCKED,

    /** It is certainly on no list. */
    UNLISTED;

    /** Returns whether to block the query: confirmed or not. */
    public boolean isBlocked() {
      return this == BLOCKED || this == PROBABLY_BLOCKED;
    }
  }

  /** Entries that are never blocked, stored as text. */
  static final class Allowlist {

    /** The name that allow entries have in place of a list's. */
    static final String NAME = "allow";

    private final Map<String, Finding.Kind> entries = new LinkedHashMap<>();
    private KeyForms forms = KeyForms.NONE;

    /** Adds an entry unless it is present. */
    void put(ListEntry entry, Finding.Kind kind) {
      entries.putIfAbsent(entry.text(), kind);
      forms = forms.and(entry);
    }

    Map<String, Finding.Kind> entries() {
      return entries;
    }

    boolean admits(Subject subject, boolean ignoresTags) {
      return !entries.isEmpty()
          && forms.keys(subject, ignoresTags).stream()
              .anyMatch(key -> entries.containsKey(key.text()));
    }

    List<Finding> findings(Subject subject, boolean ignoresTags) {
      return forms.keys(subject, ignoresTags).stream()
          .flatMap(key -> finding(key).stream())
          .toList();
    }

    private Optional<Finding> finding(KeyForms.Key key) {
      return Optional.ofNullable(entries.get(key.text()))
          .map(kind -> new Finding(NAME, key.form(), key.text(), kind));
    }
  }
}
