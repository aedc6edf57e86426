package dev.tamis.crawler.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tamis.crawler.crawl.PageFile.PageScan;
import dev.tamis.fuzz.InputBudget;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** Lists of pages that somebody hostile wrote are read, or refused in words. */
class PageScanFuzzTest {

  @FuzzTest(maxDuration = "10m")
  void anyBytesAreAListOrRefused(byte[] bytes) throws IOException {
    InputBudget.check(bytes.length, () -> read(bytes));
  }

  private void read(byte[] bytes) throws IOException {
    byte[] start = (PageRow.HEADER + "\n").getBytes(UTF_8);
    byte[] list = new byte[start.length + bytes.length];
    System.arraycopy(start, 0, list, 0, start.length);
    System.arraycopy(bytes, 0, list, start.length, bytes.length);
    for (byte[] read : new byte[][] {bytes, list}) {
      PageTally tally = new PageTally();
      try {
        PageScan scan = PageScan.of(Path.of("list"), new ByteArrayInputStream(read), tally);
        assertThat(scan.end()).isBetween(0L, (long) read.length);
        assertThat(scan.lastStart()).isBetween(0L, scan.end());
        assertThat(scan.last() != null).isEqualTo(tally.total() > 0);
      } catch (FileSystemException e) {
        assertThat(e.getFile()).startsWith("list:");
      }
    }
  }
}
