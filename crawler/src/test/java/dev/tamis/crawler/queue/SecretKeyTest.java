package dev.tamis.crawler.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.file.FilterFile.FileHeader;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.logging.Logger;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An author of links cannot choose the URLs that a queue takes for seen. */
class SecretKeyTest {

  private static final int KEYS = 14;
  private static final double FPP = 0.05;
  private static final int VICTIMS = 60;

  @TempDir private Path home;

  @Test
  void linksChosenToHideAPageDoNotHideIt() throws IOException {
    int hiddenInMemory = 0;
    int hiddenOnDisk = 0;
    for (int i = 0; i < VICTIMS; i++) {
      String victim = "http://b" + i + "/important.html";
      List<String> links = linksThatHide(victim);
      try (VisitQueue memory = VisitQueue.builder().expectedKeys(KEYS).fpp(FPP).build();
          VisitQueue disk =
              VisitQueue.builder().expectedKeys(KEYS).fpp(FPP).open(home.resolve("q" + i))) {
        hiddenInMemory += isHidden(victim, links, memory) ? 1 : 0;
        hiddenOnDisk += isHidden(victim, links, disk) ? 1 : 0;
      }
    }
    assertThat(hiddenInMemory).as("in memory").isLessThan(VICTIMS / 3);
    assertThat(hiddenOnDisk).as("on disk").isLessThan(VICTIMS / 3);
  }

  private static boolean isHidden(String victim, List<String> links, VisitQueue queue) {
    links.forEach(queue::push);
    return !queue.push(victim).isAccepted();
  }

  /** The attack: the filter is simulated with the public hash until it reports the victim. */
  private static List<String> linksThatHide(String victim) {
    SplittableRandom random = new SplittableRandom(victim.hashCode());
    while (true) {
      BloomFilter<CharSequence> simulated = BloomFilter.create(KeyHasher.text(), KEYS, FPP);
      List<String> links = new ArrayList<>();
      for (int i = 0; i < KEYS - 1; i++) {
        links.add("http://a/" + random.nextInt(Integer.MAX_VALUE));
      }
      links.forEach(simulated::put);
      if (simulated.mightContain(victim)) {
        return links;
      }
    }
  }

  @Test
  void aSharedFilterWithoutAKeyIsReported() {
    List<String> warnings = new ArrayList<>();
    Logger logger = Logger.getLogger(VisitQueue.class.getName());
    logger.setFilter(logged -> !warnings.add(logged.getMessage()));
    try {
      HashKey key = HashKey.of(new byte[HashKey.BYTES]);
      for (KeyHasher<CharSequence> hasher :
          List.of(KeyHasher.text(), KeyHasher.text().keyedBy(key))) {
        VisitQueue.builder().sharedFilter(BloomFilter.create(hasher, KEYS, FPP));
      }
    } finally {
      logger.setFilter(null);
    }
    assertThat(warnings).hasSize(1).first().asString().contains("has no secret key");
  }

  @Test
  @EnabledOnOs(value = {OS.LINUX, OS.MAC}, disabledReason = "POSIX permissions")
  void everyDirectoryHasAKeyOfItsOwnForItsOwnerAlone() throws IOException {
    Path one = queue("one");
    Path other = queue("other");
    assertThat(key(one))
        .content()
        .matches("[0-9a-f]{32}\n")
        .isNotEqualTo(Files.readString(key(other)));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key(one))))
        .isEqualTo("rw-------");
  }

  @Test
  void onlyTheIdOfTheKeyIsInOtherFiles() throws IOException {
    Path directory = queue("q");
    String digits = Files.readString(key(directory)).strip();
    String id = Parameters.load(DirectoryLayout.parameters(directory)).hashKey();
    for (Path file : Queues.files(directory, "")) {
      if (!file.equals(key(directory))) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .as(file.toString())
            .doesNotContain(digits);
      }
    }
    Path snapshot = Queues.files(directory, "seen").get(0);
    assertThat(FileHeader.read(snapshot).hashId().algorithm().isKeyed()).isTrue();
    assertThat(FileHeader.read(snapshot).hashId().printedNumber()).contains(id);
  }

  @Test
  void aMissingOrWrongKeyIsAnErrorThatNamesTheFile() throws IOException {
    Path directory = queue("q");
    String right = Files.readString(key(directory));
    String id = Parameters.load(DirectoryLayout.parameters(directory)).hashKey();
    Files.delete(key(directory));
    refuses(directory, "secret key: must be the one with id " + id + ", got no such file");
    for (String wrong : List.of("", "x", right.strip() + "0", right.substring(1), "g".repeat(32))) {
      Files.writeString(key(directory), wrong);
      refuses(directory, "secret key: must be 32 hexadecimal digits, got ");
    }
    Files.writeString(key(directory), "0".repeat(32));
    refuses(directory, "secret key: must be the one with id " + id + ", got the one with id ");
    Files.writeString(key(directory), right);
    try (VisitQueue queue = VisitQueue.open(directory)) {
      assertThat(queue.push("http://h/0")).isEqualTo(PushResult.DUPLICATE);
    }
  }

  private static void refuses(Path directory, String message) {
    assertThatThrownBy(() -> VisitQueue.open(directory))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining(key(directory).toString())
        .hasMessageContaining(message)
        .hasMessageContaining("restore the directory from a backup");
    assertThatThrownBy(() -> VisitQueue.view(directory)).hasMessageContaining(message);
  }

  /** A key that is there before the queue may have been put there. */
  @Test
  void aKeyFromBeforeTheQueueIsReplaced() throws IOException {
    Path directory = Files.createDirectory(home.resolve("q"));
    Files.writeString(key(directory), "0".repeat(32));
    VisitQueue.builder().expectedKeys(KEYS).fpp(FPP).open(directory).close();
    assertThat(key(directory)).content().doesNotContain("0".repeat(32));
  }

  @Test
  void settingsThatAreIncompleteCreateNoFile() throws IOException {
    Path directory = home.resolve("q");
    assertThatThrownBy(() -> VisitQueue.builder().fpp(FPP).open(directory))
        .isInstanceOf(IllegalStateException.class);
    assertThat(Queues.files(directory, "")).extracting(Path::getFileName).hasToString("[lock]");
  }

  private static Path key(Path directory) {
    return directory.resolve("hash.key");
  }

  private Path queue(String name) throws IOException {
    Path directory = home.resolve(name);
    try (VisitQueue queue =
        VisitQueue.builder().expectedKeys(1_000).fpp(FPP).checkpointBytes(100).open(directory)) {
      for (int i = 0; i < 50; i++) {
        queue.push("http://h/" + i);
      }
    }
    return directory;
  }
}
