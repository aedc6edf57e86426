package dev.tamis.format;

import static dev.tamis.format.ReferenceFrame.get;
import static dev.tamis.format.ReferenceFrame.require;

import dev.tamis.format.ReferenceFrame.Bloom;
import java.time.Instant;
import java.util.List;

/** What a file of whichever kind answers, if it is read as docs/format.md has it. */
interface ReferenceFilter {

  boolean mightContain(long h);

  /** Reads a whole file; {@code now} is the time for those kinds that need to know it. */
  static ReferenceFilter read(byte[] file, Instant now) throws ReferenceFrame.Refused {
    require(file.length >= ReferenceFrame.HEADER, "bytes");
    return switch ((int) get(file, 10, 2)) {
      case 3 -> ReferenceCounting.read(file);
      case 4 -> ReferenceCuckoo.read(file);
      case 5 -> {
        ReferenceWindow window = ReferenceWindow.read(file);
        yield h -> window.mightContain(h, now);
      }
      case 6 -> ReferenceFuse.read(file);
      case 7 -> ReferenceRibbon.read(file);
      default -> {
        List<Bloom> stages = ReferenceFrame.read(file);
        yield h -> stages.stream().anyMatch(stage -> stage.mightContain(h));
      }
    };
  }

  static boolean isTaken(byte[] file, Instant now) {
    try {
      read(file, now);
      return true;
    } catch (ReferenceFrame.Refused e) {
      return false;
    }
  }
}
