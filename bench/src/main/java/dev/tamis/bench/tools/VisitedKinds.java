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
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
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
        new Kind("a `HashSet` of URLs", VisitedKinds::plainSet),
        new Kind("a `HashSet` of 128-bit digests (MD5)", VisitedKinds::digestSet),
        new Kind("a bitmap of 10 bits a URL, one hash", () -> oneHash(urls)),
        new Kind("Tamis, default, 1 %", () -> bloom(urls, 0.01, null)),
        new Kind("Tamis, classic, 1 %", () -> bloom(urls, 0.01, Layout.CLASSIC)),
        new Kind("Tamis, default, 1e-6", () -> bloom(urls, 1e-6, null)),
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

  private static Visited of(Consumer<String> add, Predicate<String> has) {
    return new Visited() {
      @Override
      public void add(String url) {
        add.accept(url);
      }

      @Override
      public boolean has(String url) {
        return has.test(url);
      }
    };
  }

  private static Visited plainSet() {
    Set<String> set = new HashSet<>();
    return of(set::add, set::contains);
  }

  private static Visited digestSet() throws Exception {
    Set<UUID> set = new HashSet<>();
    MessageDigest md5 = MessageDigest.getInstance("MD5");
    return of(url -> set.add(digest(md5, url)), url -> set.contains(digest(md5, url)));
  }

  private static UUID digest(MessageDigest md5, String url) {
    ByteBuffer digest = ByteBuffer.wrap(md5.digest(url.getBytes(StandardCharsets.UTF_8)));
    return new UUID(digest.getLong(), digest.getLong());
  }

  private static Visited oneHash(int urls) {
    int bits = Math.multiplyExact(BITMAP_BITS_PER_URL, urls);
    BitSet set = new BitSet(bits);
    ToIntFunction<String> bit = url -> Math.floorMod(url.hashCode() * 0x9E3779B9, bits);
    return of(url -> set.set(bit.applyAsInt(url)), url -> set.get(bit.applyAsInt(url)));
  }

  private static Visited bloom(int urls, double fpp, @Nullable Layout layout) {
    var builder = BloomFilter.<CharSequence>builder(KeyHasher.text()).expectedKeys(urls).fpp(fpp);
    var filter = (layout != null ? builder.layout(layout) : builder).build();
    return of(filter::put, filter::mightContain);
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
