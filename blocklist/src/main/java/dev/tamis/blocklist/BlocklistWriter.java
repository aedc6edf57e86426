package dev.tamis.blocklist;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tamis.blocklist.Blocklist.Finding;
import dev.tamis.blocklist.ListedKeys.ExactHashes;
import dev.tamis.file.AtomicFile;
import dev.tamis.format.Codec;
import dev.tamis.format.CodecOutput;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Writes block lists to files, as docs/format.md says. */
final class BlocklistWriter {

  private static final int BUFFER_BYTES = 1 << 16;

  private final Blocklist blocklist;
  private final List<Map.Entry<byte[], Finding.Kind>> allow;
  private final CodecOutput out;

  private BlocklistWriter(Blocklist blocklist, OutputStream out) {
    this.blocklist = blocklist;
    this.allow =
        blocklist.allowlist().entries().entrySet().stream()
            .map(entry -> Map.entry(entry.getKey().getBytes(UTF_8), entry.getValue()))
            .sorted(Map.Entry.comparingByKey(Arrays::compareUnsigned))
            .toList();
    this.out = new CodecOutput(out);
  }

  static void write(Path path, Blocklist blocklist) throws IOException {
    try (AtomicFile file = AtomicFile.create(path)) {
      new BlocklistWriter(blocklist, new BufferedOutputStream(file.out(), BUFFER_BYTES)).write();
      file.commit();
    }
  }

  private void write() throws IOException {
    out.write(header());
    for (Map.Entry<byte[], Finding.Kind> entry : allow) {
      byte[] text = entry.getKey();
      int kind = entry.getValue() == Finding.Kind.KNOWN_GOOD ? Frame.KNOWN_GOOD : Frame.BY_HAND;
      out.write(
          Codec.buffer(Frame.ALLOW_BYTES + text.length)
              .putShort((short) text.length)
              .put((byte) kind)
              .put(text)
              .array());
    }
    for (ListedKeys list : blocklist.lists()) {
      write(list);
    }
    out.finish();
  }

  private byte[] header() {
    int flags =
        (blocklist.ignoresTags() ? Frame.IGNORES_TAGS : 0)
            | (blocklist.isExact() ? Frame.EXACT : 0);
    byte[] header = new byte[Frame.HEADER_BYTES];
    Codec.buffer(header)
        .put(0, Frame.MAGIC)
        .putShort(Frame.VERSION_AT, (short) Frame.VERSION)
        .putShort(Frame.FLAGS_AT, (short) flags)
        .putInt(Frame.LISTS_AT, blocklist.lists().size())
        .putLong(Frame.FILE_BYTES_AT, fileBytes())
        .putDouble(Frame.FPP_AT, blocklist.fpp())
        .putInt(Frame.ALLOW_ENTRIES_AT, allow.size())
        .putShort(Frame.HASH_AT, (short) blocklist.hashId().algorithm().id())
        .putLong(Frame.HASH_NUMBER_AT, blocklist.hashId().number());
    Codec.putChecksum(header, Frame.HEADER_CHECKSUM_AT);
    return header;
  }

  private long fileBytes() {
    long bytes = Frame.HEADER_BYTES + Frame.TRAILER_BYTES;
    for (Map.Entry<byte[], Finding.Kind> entry : allow) {
      bytes += Frame.ALLOW_BYTES + entry.getKey().length;
    }
    for (ListedKeys list : blocklist.lists()) {
      bytes +=
          Frame.LIST_BYTES
              + list.name().getBytes(UTF_8).length
              + (long) Long.BYTES * Long.bitCount(list.forms().domainUrlLabels())
              + (long) Long.BYTES * list.exceptions().length
              + list.filter().serializedSize()
              + (list.exact() == null ? 0 : Long.BYTES * list.exact().count());
    }
    return bytes;
  }

  private void write(ListedKeys list) throws IOException {
    byte[] name = list.name().getBytes(UTF_8);
    KeyForms forms = list.forms();
    byte[] head = new byte[Frame.LIST_BYTES + name.length];
    ByteBuffer fields =
        Codec.buffer(head)
            .putShort((short) name.length)
            .putShort((short) forms.word(KeyForms.KINDS));
    for (int i = Frame.FIRST_FORMS; i <= Frame.LAST_FORMS; i++) {
      fields.putLong(forms.word(i));
    }
    fields.putLong(forms.domainUrlLabels()).putInt(list.exceptions().length).put(name);
    out.write(head);
    for (int labels = 1; labels < Long.SIZE; labels++) {
      long urls = forms.word(KeyForms.DOMAIN_URLS + labels);
      if (urls != 0) {
        out.write(Codec.buffer(Long.BYTES).putLong(urls).array());
      }
    }
    out.words(list.exceptions(), 0);
    list.filter().writeTo(out);
    ExactHashes exact = list.exact();
    if (exact != null) {
      for (long i = 0; i < exact.count(); i++) {
        out.write(Codec.buffer(Long.BYTES).putLong(exact.get(i)).array());
      }
    }
  }

  /** The numbers of a block list's file that its writer and its reader agree on: docs/format.md. */
  static final class Frame {

    static final byte[] MAGIC = {(byte) 0x89, 'T', 'B', 'L', 'K', 'S', '\r', '\n'};
    static final int VERSION = 1;

    static final int VERSION_AT = 8;
    static final int FLAGS_AT = 10;
    static final int LISTS_AT = 12;
    static final int FILE_BYTES_AT = 16;
    static final int FPP_AT = 24;
    static final int ALLOW_ENTRIES_AT = 32;
    static final int HASH_AT = 36;
    static final int ZEROS_AT = 38;
    static final int HASH_NUMBER_AT = 40;
    static final int MORE_ZEROS_AT = 48;
    static final int HEADER_CHECKSUM_AT = 60;
    static final int HEADER_BYTES = 64;
    static final int TRAILER_BYTES = 4;

    static final int IGNORES_TAGS = 1;
    static final int EXACT = 2;

    static final int BY_HAND = 1;
    static final int KNOWN_GOOD = 2;

    static final long KINDS = 1L << KeyForms.ADDRESSES_BIT | 1L << KeyForms.HOSTS_BIT;

    /** The words of {@link KeyForms} that every list has, from this one on. */
    static final int FIRST_FORMS = KeyForms.WHOLE_DOMAINS;

    static final int LAST_FORMS = KeyForms.URLS;

    /** The bytes of a list before its exceptions, without its name and the URLs of domains. */
    static final int LIST_BYTES = 2 + 2 + (LAST_FORMS - FIRST_FORMS + 2) * Long.BYTES + 4;

    /** The bytes of an allow entry without its text. */
    static final int ALLOW_BYTES = 2 + 1;

    private Frame() {}
  }
}
