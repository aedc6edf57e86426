package dev.tamis.blocklist;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tamis.blocklist.Blocklist.Allowlist;
import dev.tamis.blocklist.Blocklist.Finding;
import dev.tamis.blocklist.BlocklistWriter.Frame;
import dev.tamis.blocklist.ListedKeys.ExactHashes;
import dev.tamis.file.FileErrors;
import dev.tamis.filter.FuseFilter;
import dev.tamis.format.CodecInput;
import dev.tamis.format.FormatException;
import dev.tamis.format.HeaderFields;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Checks;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads block lists from files and validates every field before using it: docs/format.md. */
final class BlocklistReader {

  private static final String WHAT = "block list";
  private static final int BUFFER_BYTES = 1 << 16;

  private final FileChannel channel;
  private final CodecInput in;
  private final long fileBytes;

  private BlocklistReader(FileChannel channel) throws IOException {
    this.channel = channel;
    this.fileBytes = channel.size();
    this.in =
        new CodecInput(
            WHAT,
            new BufferedInputStream(
                Channels.newInputStream(channel),
                (int) Math.max(1, Math.min(BUFFER_BYTES, fileBytes))),
            fileBytes);
  }

  /**
   * Reads a block list.
   *
   * @param hasher has the secret key that the file must have, or none
   */
  static Blocklist read(Path path, KeyHasher<CharSequence> hasher) throws IOException {
    return with(path, reader -> reader.read(hasher));
  }

  /** Returns how the keys of a file are hashed; reads its header alone. */
  static HashId hashId(Path path) throws IOException {
    return with(path, reader -> hashId(reader.header()));
  }

  private static <V> V with(Path path, Read<V> read) throws IOException {
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new FileSystemException(path.toString(), null, "is not a regular file");
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return read.from(new BlocklistReader(channel));
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      throw FileErrors.named(path, e);
    }
  }

  private Blocklist read(KeyHasher<CharSequence> hasher) throws IOException {
    HeaderFields header = header();
    HashFunction hash = BoundHasher.of(hasher, 0).function();
    HashId found = hashId(header);
    if (!found.equals(hash.id())) {
      throw header.invalid(
          Frame.HASH_AT, "hash", hash.id() + ", as this was to be read with", found);
    }
    int flags = header.u16(Frame.FLAGS_AT);
    Allowlist allowlist = readAllowlist(header.u32(Frame.ALLOW_ENTRIES_AT));
    long count = header.u32(Frame.LISTS_AT);
    boolean exact = (flags & Frame.EXACT) != 0;
    List<ListedKeys> lists = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < count; i++) {
      ListedKeys list = readList(hasher, hash.id(), exact);
      if (!names.add(list.name())) {
        throw in.invalid("name", "a name for each list", list.name() + " again");
      }
      lists.add(list);
    }
    finish();
    return new Blocklist(
        hash, header.f64(Frame.FPP_AT), (flags & Frame.IGNORES_TAGS) != 0, allowlist, lists);
  }

  private static HashId hashId(HeaderFields header) throws IOException {
    int id = header.u16(Frame.HASH_AT);
    HashId found =
        header.checked(
            Frame.HASH_AT,
            "hash",
            () -> new HashId(HashId.Algorithm.ofId(id), header.i64(Frame.HASH_NUMBER_AT)));
    if (!found.algorithm().isKeyed() && !found.equals(HashFunction.xxh3(0).id())) {
      throw header.invalid(
          Frame.HASH_AT, "hash", HashFunction.xxh3(0).id() + " or one with a key", found);
    }
    return found;
  }

  /** Reads the header and checks all of it but whose the hash is. */
  private HeaderFields header() throws IOException {
    HeaderFields header = in.header("header", Frame.HEADER_BYTES, ByteOrder.LITTLE_ENDIAN);
    header.expectMagic(Frame.MAGIC);
    int version = header.u16(Frame.VERSION_AT);
    header.expect(Frame.VERSION_AT, "version", Frame.VERSION, version);
    header.expectChecksum(Frame.HEADER_CHECKSUM_AT, "header checksum");
    int flags = header.u16(Frame.FLAGS_AT);
    int known = Frame.IGNORES_TAGS | Frame.EXACT;
    long lists = header.u32(Frame.LISTS_AT);
    if ((flags & ~known) != 0 || (lists == 0 && (flags & Frame.EXACT) != 0)) {
      throw header.invalid(Frame.FLAGS_AT, "flags", "bits 0 and 1", flags);
    }
    header.expectRange(Frame.LISTS_AT, "lists", 0, BlocklistBuilder.MAX_LISTS, lists);
    header.expect(
        Frame.FILE_BYTES_AT, "length of the file", fileBytes, header.i64(Frame.FILE_BYTES_AT));
    header.checked(Frame.FPP_AT, "fpp", () -> Checks.fpp(header.f64(Frame.FPP_AT)));
    header.expectZeros(Frame.ZEROS_AT, Frame.HASH_NUMBER_AT);
    header.expectZeros(Frame.MORE_ZEROS_AT, Frame.HEADER_CHECKSUM_AT);
    return header;
  }

  private Allowlist readAllowlist(long count) throws IOException {
    in.length("allow entries", count, Frame.ALLOW_BYTES + 1);
    Allowlist allowlist = new Allowlist();
    byte[] before = {};
    for (int i = 0; i < count; i++) {
      ByteBuffer head = in.next("allow entry", Frame.ALLOW_BYTES);
      byte[] text = in.next("allow entry", Short.toUnsignedInt(head.getShort())).array();
      if (Arrays.compareUnsigned(before, text) >= 0) {
        throw in.invalid("allow entry", "one after those before it", "one out of order");
      }
      before = text;
      allowlist.put(allowEntry(text(text)), allowKind(head.get()));
    }
    return allowlist;
  }

  private ListEntry allowEntry(String text) throws IOException {
    try {
      ListEntry entry = ListEntry.parse(text);
      if (entry.text().equals(text)) {
        return entry;
      }
    } catch (IllegalArgumentException e) {
      throw in.invalid("allow entry", "an entry", String.valueOf(e.getMessage()));
    }
    throw in.invalid("allow entry", "its canonical form", Refusal.quoted(text));
  }

  private Finding.Kind allowKind(byte kind) throws IOException {
    return switch (kind) {
      case Frame.BY_HAND -> Finding.Kind.ALLOWED;
      case Frame.KNOWN_GOOD -> Finding.Kind.KNOWN_GOOD;
      default -> throw in.invalid("kind of allow entry", "1 or 2", kind);
    };
  }

  private String text(byte[] bytes) throws IOException {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw in.invalid("text", "UTF-8", e);
    }
  }

  private ListedKeys readList(KeyHasher<CharSequence> hasher, HashId hash, boolean exact)
      throws IOException {
    ByteBuffer head = in.next("list", Frame.LIST_BYTES);
    int nameBytes = Short.toUnsignedInt(head.getShort());
    long[] forms = new long[KeyForms.WORDS];
    forms[KeyForms.KINDS] = Short.toUnsignedLong(head.getShort());
    for (int i = Frame.FIRST_FORMS; i <= Frame.LAST_FORMS; i++) {
      forms[i] = head.getLong();
    }
    long domainUrlLabels = head.getLong();
    checkForms(forms, domainUrlLabels);
    long exceptions = Integer.toUnsignedLong(head.getInt());
    String name = name(nameBytes);
    readDomainUrls(domainUrlLabels, forms);
    long[] known = exceptions(exceptions);
    FuseFilter<CharSequence> filter = filter(name, hasher);
    if (!filter.hashId().equals(hash)) {
      throw in.invalid("hash", hash, filter.hashId());
    }
    return new ListedKeys(
        name, new KeyForms(forms), filter, known, exact ? exact(filter.keys()) : null);
  }

  private void checkForms(long[] forms, long domainUrlLabels) throws IOException {
    checkBits("forms", Frame.KINDS, forms[KeyForms.KINDS]);
    checkBits("labels of domains", ~1, forms[KeyForms.WHOLE_DOMAINS]);
    checkBits("labels of domains", ~1, forms[KeyForms.SUBDOMAINS]);
    checkBits("prefixes of IPv4", (1L << IpAddress.V4_BITS) - 2, forms[KeyForms.V4_NETWORKS]);
    checkBits("prefixes of IPv6", ~1, forms[KeyForms.V6_NETWORKS]);
    checkBits("paths of URLs", CanonicalUrl.PATH_BITS, forms[KeyForms.URLS]);
    checkBits("labels of URLs", ~1, domainUrlLabels);
  }

  private void checkBits(String field, long allowed, long bits) throws IOException {
    if ((bits & ~allowed) != 0) {
      throw in.invalid(
          field + " of a list", "no bits but " + Long.toHexString(allowed), Long.toHexString(bits));
    }
  }

  private void readDomainUrls(long labels, long[] forms) throws IOException {
    for (int i = 1; i < Long.SIZE; i++) {
      if (((labels >>> i) & 1) != 0) {
        long paths = in.next("paths of URLs", Long.BYTES).getLong();
        checkBits("paths of URLs", CanonicalUrl.PATH_BITS, paths);
        if (paths == 0) {
          throw in.invalid("paths of URLs of a list", "a bit for what the labels announce", 0);
        }
        forms[KeyForms.DOMAIN_URLS + i] = paths;
      }
    }
  }

  private FuseFilter<CharSequence> filter(String name, KeyHasher<CharSequence> hasher)
      throws IOException {
    long start = in.position();
    try {
      return FuseFilter.readFrom(in, hasher, in.left());
    } catch (FormatException e) {
      throw e.within(WHAT, "list " + name, start);
    }
  }

  private String name(int bytes) throws IOException {
    try {
      return BlocklistBuilder.requireName(text(in.next("name", bytes).array()));
    } catch (IllegalArgumentException e) {
      throw in.invalid("name", "1 to 255 bytes without control characters", "others");
    }
  }

  private long[] exceptions(long count) throws IOException {
    int bytes = in.length("exceptions", count, Long.BYTES);
    long[] hashes = new long[(int) count];
    in.next("exceptions", bytes).asLongBuffer().get(hashes);
    for (int i = 1; i < hashes.length; i++) {
      if (hashes[i - 1] >= hashes[i]) {
        throw in.invalid("exceptions", "ascending numbers", "others");
      }
    }
    return hashes;
  }

  /** Reads the hashes once, to check them, and maps them. */
  private ExactHashes exact(long count) throws IOException {
    long start = in.position();
    if (count > (fileBytes - start) / Long.BYTES) {
      throw in.invalid("exact hashes", "at most " + (fileBytes - start) + " bytes", count);
    }
    long before = 0;
    for (long left = count; left > 0; ) {
      int some = (int) Math.min(left, BUFFER_BYTES / Long.BYTES);
      ByteBuffer chunk = in.next("exact hashes", some * Long.BYTES);
      for (long i = count - left; i < count - left + some; i++) {
        long hash = chunk.getLong();
        if (i > 0 && Long.compareUnsigned(before, hash) >= 0) {
          throw in.invalid("exact hashes", "ascending numbers", "others");
        }
        before = hash;
      }
      left -= some;
    }
    return new ExactHashes(map(start, count), count);
  }

  private List<ByteBuffer> map(long start, long count) throws IOException {
    List<ByteBuffer> parts = new ArrayList<>();
    for (long from = 0; from < count; from += ExactHashes.PART_HASHES) {
      long some = Math.min(count - from, ExactHashes.PART_HASHES);
      parts.add(
          channel.map(FileChannel.MapMode.READ_ONLY, start + from * Long.BYTES, some * Long.BYTES));
    }
    return parts;
  }

  private void finish() throws IOException {
    long end = fileBytes - Frame.TRAILER_BYTES;
    if (in.position() != end) {
      throw in.invalid("end of the lists", end, in.position());
    }
    in.expectChecksum();
  }

  /** Reads one thing from a file. */
  private interface Read<V> {
    V from(BlocklistReader reader) throws IOException;
  }
}
