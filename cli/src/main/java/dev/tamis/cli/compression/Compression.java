package dev.tamis.cli.compression;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.MemoryLimitException;
import org.tukaani.xz.SingleXZInputStream;
import org.tukaani.xz.XZOutputStream;

/** A format of compressed data: how it is recognised, read and written. */
enum Compression {
  GZIP("gzip", ".gz", "1f8b08") {
    @Override
    InputStream member(InputStream in) throws IOException {
      // not the JDK's: it takes a damaged header of a second member for the end of the data
      return GzipCompressorInputStream.builder()
          .setInputStream(in)
          .setBufferSize(BUFFER_BYTES)
          .get();
    }

    @Override
    OutputStream compressed(OutputStream out) throws IOException {
      return new GZIPOutputStream(out, BUFFER_BYTES);
    }
  },

  /** A frame, or a skippable one, with which parallel compressors begin. */
  ZSTD("zstd", ".zst", "28b52ffd|5[0-9a-f]2a4d18") {
    @Override
    InputStream member(InputStream in) throws IOException {
      return withLibrary(() -> new ZstdInputStreamNoFinalizer(in));
    }

    @Override
    boolean needsTooMuchMemory(Exception e) {
      return e instanceof ZstdIOException failure
          && failure.getErrorCode() == Zstd.errFrameParameterWindowTooLarge();
    }

    @Override
    OutputStream compressed(OutputStream out) throws IOException {
      return withLibrary(() -> new ZstdOutputStreamNoFinalizer(out).setChecksum(true));
    }
  },

  /** The level, then a block or the end of an empty stream. */
  BZIP2("bzip2", ".bz2", "425a683[1-9](?:314159265359|177245385090)") {
    @Override
    InputStream member(InputStream in) throws IOException {
      return new BZip2CompressorInputStream(in, false);
    }

    @Override
    OutputStream compressed(OutputStream out) throws IOException {
      return new BZip2CompressorOutputStream(new BufferedOutputStream(out, BUFFER_BYTES));
    }
  },

  XZ("xz", ".xz", "fd377a585a00") {
    @Override
    InputStream member(InputStream in) throws IOException {
      return new SingleXZInputStream(in, XZ_LIMIT_KIB);
    }

    @Override
    boolean needsTooMuchMemory(Exception e) {
      return e instanceof MemoryLimitException;
    }

    @Override
    OutputStream compressed(OutputStream out) throws IOException {
      return new XZOutputStream(out, new LZMA2Options());
    }
  };

  static final int MAGIC_BYTES = 10;

  /** The shortest beginning of a magic number that is no coincidence. */
  static final int PARTIAL_MAGIC_BYTES = 4;

  /** The memory for xz, twice that of {@code xz -9}; zstd is limited by its library to 128 MiB. */
  static final int XZ_LIMIT_KIB = 128 << 10;

  private static final int BUFFER_BYTES = 1 << 16;

  private final String label;
  private final String suffix;
  private final Pattern magic;

  Compression(String label, String suffix, String magicInHex) {
    this.label = label;
    this.suffix = suffix;
    this.magic = Pattern.compile(magicInHex);
  }

  static Optional<Compression> of(byte[] bytes, int count) {
    return Stream.of(values()).filter(each -> each.match(bytes, count).lookingAt()).findFirst();
  }

  /** Returns the format whose magic number these bytes begin, if incomplete. */
  static Optional<Compression> maybe(byte[] bytes, int count) {
    return Stream.of(values())
        .filter(
            each -> {
              Matcher match = each.match(bytes, count);
              return !match.lookingAt() && match.hitEnd();
            })
        .findFirst();
  }

  static Optional<Compression> of(Path file) {
    String name = file.toString();
    return Stream.of(values()).filter(each -> name.endsWith(each.suffix)).findFirst();
  }

  private Matcher match(byte[] bytes, int count) {
    return magic.matcher(HexFormat.of().formatHex(bytes, 0, count));
  }

  String label() {
    return label;
  }

  /**
   * Returns the data of the next member of a file, of all that follow for zstd; {@code in}, which
   * supports marks, is behind it afterwards.
   */
  abstract InputStream member(InputStream in) throws IOException;

  abstract OutputStream compressed(OutputStream out) throws IOException;

  /** Returns whether decompression exceeded its memory limit. */
  boolean needsTooMuchMemory(Exception e) {
    return false;
  }

  private static <S> S withLibrary(Opening<S> opening) throws IOException {
    try {
      return opening.open();
    } catch (LinkageError e) {
      throw new IOException(
          "the native library for zstd cannot be loaded here ("
              + e.getMessage()
              + "); pipe the data through the program zstd instead",
          e);
    }
  }

  private interface Opening<S> {
    S open() throws IOException;
  }
}
