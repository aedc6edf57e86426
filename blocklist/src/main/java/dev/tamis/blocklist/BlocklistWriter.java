package dev.tamis.blocklist;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tamis.blocklist.Blocklist.Finding;
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
      int kind =
          entry.getValue() == Finding.Kind.KNOWN_GOOD
              ? BlocklistFrame.KNOWN_GOOD
              : BlocklistFrame.BY_HAND;
      out.write(
          Codec.buffer(BlocklistFrame.ALLOW_BYTES + text.length)
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
        (blocklist.ignoresTags() ? BlocklistFrame.IGNORES_TAGS : 0)
            | (blocklist.isExact() ? BlocklistFrame.EXACT : 0);
    byte[] header = new byte[BlocklistFrame.HEADER_BYTES];
    Codec.buffer(header)
        .put(0, BlocklistFrame.MAGIC)
        .putShort(BlocklistFrame.VERSION_AT, (short) BlocklistFrame.VERSION)
        .putShort(BlocklistFrame.FLAGS_AT, (short) flags)
        .putInt(BlocklistFrame.LISTS_AT, blocklist.lists().size())
        .putLong(BlocklistFrame.FILE_BYTES_AT, fileBytes())
        .putDouble(BlocklistFrame.FPP_AT, blocklist.fpp())
        .putInt(BlocklistFrame.ALLOW_ENTRIES_AT, allow.size())
        .putShort(BlocklistFrame.HASH_AT, (short) blocklist.hashId().algorithm().id())
        .putLong(BlocklistFrame.HASH_NUMBER_AT, blocklist.hashId().number());
    Codec.putChecksum(header, BlocklistFrame.HEADER_CHECKSUM_AT);
    return header;
  }

  private long fileBytes() {
    long bytes = BlocklistFrame.HEADER_BYTES + BlocklistFrame.TRAILER_BYTES;
    for (Map.Entry<byte[], Finding.Kind> entry : allow) {
      bytes += BlocklistFrame.ALLOW_BYTES + entry.getKey().length;
    }
    for (ListedKeys list : blocklist.lists()) {
      bytes +=
          BlocklistFrame.LIST_BYTES
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
    byte[] head = new byte[BlocklistFrame.LIST_BYTES + name.length];
    ByteBuffer fields =
        Codec.buffer(head)
            .putShort((short) name.length)
            .putShort((short) forms.word(KeyForms.KINDS));
    for (int i = BlocklistFrame.FIRST_FORMS; i <= BlocklistFrame.LAST_FORMS; i++) {
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
}
