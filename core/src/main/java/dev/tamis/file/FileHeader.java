package dev.tamis.file;

import dev.tamis.format.FormatException;
import dev.tamis.format.Frame;
import dev.tamis.format.FrameReader;
import dev.tamis.format.Kind;
import dev.tamis.hash.HashId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/**
 * The header of a file, which can be read without the right hasher.
 *
 * @param kind what it holds
 * @param hashId how its keys were hashed: the id of the secret key, if there is one
 */
public record FileHeader(Kind kind, HashId hashId) {

  /**
   * Reads the header alone, so that the rest may be damaged.
   *
   * @throws FileSystemException if the file cannot be read, or does not begin with a header
   */
  public static FileHeader read(Path path) throws IOException {
    return CheckedFile.named(path, FileHeader::read);
  }

  private static FileHeader read(InputStream in, long maxBytes) throws IOException {
    FrameReader frame = new FrameReader(in, maxBytes);
    // the parts of a compound filter all have one hash, and the whole has none
    FrameReader hashed =
        frame.kind() == Kind.SCALABLE_BLOOM
            ? new FrameReader(frame.payload(), maxBytes, Frame.HEADER_BYTES)
            : frame;
    return new FileHeader(frame.kind(), hashId(hashed));
  }

  private static HashId hashId(FrameReader frame) throws FormatException {
    int id = frame.u16(Frame.HASH_AT);
    return frame.parameter(
        Frame.HASH_AT,
        "hash",
        () -> new HashId(HashId.Algorithm.ofId(id), frame.i64(Frame.HASH_NUMBER_AT)));
  }
}
