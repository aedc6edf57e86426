package dev.tamis.bench.tools;

import static java.util.Objects.requireNonNull;

import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.FuseFilter;
import dev.tamis.filter.FuseFilterBuilder;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The ways to remember visited URLs that {@link VisitedSets} compares. */
final class VisitedKinds {

  private static final int BITMAP_BITS_PER_URL = 10;

  private final Path directory;
  private final int urls;

  VisitedKinds(Path directory, int urls) {
    this.urls = urls;
    this.directory = directory;
  }

  List<Kind> all() {
    return List.of(
        new Kind("an H2 table, in its file", () -> new Table(directory)),
        new Kind("a `HashSet` of URLs", PlainSet::new),
        new Kind("a `HashSet` of 128-bit digests (MD5)", DigestSet::new),
        new Kind("a bitmap of 10 bits a URL, one hash", () -> new OneHash(urls)),
        new Kind("Tamis, default, 1 %", () -> new Bloom(urls, 0.01, null)),
        new Kind("Tamis, classic, 1 %", () -> new Bloom(urls, 0.01, Layout.CLASSIC)),
        new Kind("Tamis, default, 1e-6", () -> new Bloom(urls, 1e-6, null)),
        new Kind("Tamis, fuse, 1 %, known beforehand", () -> new Fuse(0.01)));
  }

  /** A way, and how to begin with it. */
  record Kind(String name, Maker maker) {}

  /** Makes an empty set. */
  interface Maker {
    Visited make() throws Exception;
  }

  /** Remembers URLs. */
  interface Visited extends AutoCloseable {
    void add(String url) throws Exception;

    boolean has(String url) throws Exception;

    @Override
    default void close() throws SQLException {}

    /** Is called when all are in. */
    default void finish() throws Exception {}

    /** Returns the bytes on disk where it is not in the heap. */
    default OptionalLong fileBytes() {
      return OptionalLong.empty();
    }
  }

  /** Rows of a database with an index, whose file is compacted when all are in. */
  private static final class Table implements Visited {

    private static final int ROWS_IN_A_COMMIT = 10_000;

    private final Path file;
    private Connection connection;
    private PreparedStatement statement;
    private int rows;

    Table(Path directory) throws IOException, SQLException {
      Path own = Files.createTempDirectory(Files.createDirectories(directory), "table");
      file = own.resolve("visited").toAbsolutePath();
      connection = DriverManager.getConnection("jdbc:h2:file:" + file);
      connection.setAutoCommit(false);
      try (Statement create = connection.createStatement()) {
        create.execute("create table visited (url varchar primary key)");
      }
      statement = connection.prepareStatement("insert into visited values (?)");
    }

    @Override
    public void add(String url) throws SQLException {
      statement.setString(1, url);
      statement.executeUpdate();
      if (++rows % ROWS_IN_A_COMMIT == 0) {
        connection.commit();
      }
    }

    @Override
    public void finish() throws SQLException {
      connection.commit();
      try (Statement shutdown = connection.createStatement()) {
        shutdown.execute("shutdown compact");
      }
      connection = DriverManager.getConnection("jdbc:h2:file:" + file);
      statement = connection.prepareStatement("select 1 from visited where url = ?");
    }

    @Override
    public boolean has(String url) throws SQLException {
      statement.setString(1, url);
      try (ResultSet found = statement.executeQuery()) {
        return found.next();
      }
    }

    @Override
    public OptionalLong fileBytes() {
      try {
        return OptionalLong.of(Files.size(file.resolveSibling(file.getFileName() + ".mv.db")));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }

  /** The URLs themselves. */
  private static final class PlainSet implements Visited {
    private final Set<String> set = new HashSet<>();

    @Override
    public void add(String url) {
      set.add(url);
    }

    @Override
    public boolean has(String url) {
      return set.contains(url);
    }
  }

  /** Digests of the URLs. */
  private static final class DigestSet implements Visited {
    private final Set<UUID> set = new HashSet<>();
    private final MessageDigest md5 = MessageDigest.getInstance("MD5");

    DigestSet() throws Exception {}

    private UUID digest(String url) {
      ByteBuffer digest = ByteBuffer.wrap(md5.digest(url.getBytes(StandardCharsets.UTF_8)));
      return new UUID(digest.getLong(), digest.getLong());
    }

    @Override
    public void add(String url) {
      set.add(digest(url));
    }

    @Override
    public boolean has(String url) {
      return set.contains(digest(url));
    }
  }

  /** One bit for each URL. */
  private static final class OneHash implements Visited {
    private final int bits;
    private final BitSet set;

    OneHash(int urls) {
      bits = Math.multiplyExact(BITMAP_BITS_PER_URL, urls);
      set = new BitSet(bits);
    }

    private int bit(String url) {
      return Math.floorMod(url.hashCode() * 0x9E3779B9, bits);
    }

    @Override
    public void add(String url) {
      set.set(bit(url));
    }

    @Override
    public boolean has(String url) {
      return set.get(bit(url));
    }
  }

  /** A Bloom filter. */
  private static final class Bloom implements Visited {
    private final BloomFilter<CharSequence> filter;

    Bloom(int urls, double fpp, @Nullable Layout layout) {
      var builder = BloomFilter.<CharSequence>builder(KeyHasher.text()).expectedKeys(urls).fpp(fpp);
      filter = (layout != null ? builder.layout(layout) : builder).build();
    }

    @Override
    public void add(String url) {
      filter.put(url);
    }

    @Override
    public boolean has(String url) {
      return filter.mightContain(url);
    }
  }

  /** A filter that is built once. */
  private static final class Fuse implements Visited {
    private @Nullable FuseFilterBuilder<CharSequence> builder;
    private @Nullable FuseFilter<CharSequence> filter;

    Fuse(double fpp) {
      builder = FuseFilter.<CharSequence>builder(KeyHasher.text()).fpp(fpp);
    }

    @Override
    public void add(String url) {
      requireNonNull(builder).put(url);
    }

    @Override
    public void finish() {
      filter = requireNonNull(builder).build();
      builder = null;
    }

    @Override
    public boolean has(String url) {
      return requireNonNull(filter).mightContain(url);
    }
  }
}
