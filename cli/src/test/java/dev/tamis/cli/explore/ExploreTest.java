package dev.tamis.cli.explore;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExploreTest {

  private static final Duration ENOUGH = Duration.ofMinutes(10);

  private final HttpClient client = HttpClient.newHttpClient();

  @TempDir private Path folder;

  @Test
  void servesTheFilterUntilItIsInterrupted() throws Exception {
    Path filter = Files.write(folder.resolve("seen.tamis"), new byte[] {1, 2, 3});
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    CompletableFuture<Result> ended = new CompletableFuture<>();
    Thread command =
        new Thread(
            () ->
                ended.complete(
                    Cli.runInto(
                        out, new ByteArrayInputStream(new byte[0]), "explore --no-open", filter)));
    command.start();
    URI url = printed(out);
    assertThat(url.toString())
        .matches("http://127\\.0\\.0\\.1:\\d+/[0-9a-f]{32}/#open\\?served=seen\\.tamis");
    assertThat(get(url.resolve("filter"))).isEqualTo(new byte[] {1, 2, 3});
    assertThat(new String(get(url.resolve(".")), UTF_8)).contains("<title>Tamis explorer</title>");
    command.interrupt();
    ended.get(ENOUGH.toSeconds(), TimeUnit.SECONDS).ok().says("tamis explore: Ctrl-C ends it\n");
    assertThatThrownBy(() -> get(url)).isInstanceOf(ConnectException.class);
  }

  @Test
  void refusesWhatIsNoFile() {
    Cli.run("explore --no-open", folder.resolve("missing"))
        .refused("...missing: not a file that can be read; name a filter...");
    Cli.run("explore --no-open", folder).refused();
    Cli.run("explore a b").refused("...'b'...");
  }

  @Test
  void opensTheBrowserOfEachSystem() {
    URI url = URI.create("http://127.0.0.1:1/x/#open?served=a%26b");
    assertThat(Explore.Browser.command("Linux", url)).containsExactly("xdg-open", url.toString());
    assertThat(Explore.Browser.command("Mac OS X", url)).containsExactly("open", url.toString());
    assertThat(Explore.Browser.command("Windows 11", url))
        .containsExactly("rundll32", "url.dll,FileProtocolHandler", url.toString());
  }

  private static URI printed(ByteArrayOutputStream out) throws InterruptedException {
    long end = System.nanoTime() + ENOUGH.toNanos();
    while (!out.toString(UTF_8).endsWith("\n")) {
      assertThat(System.nanoTime()).as("a URL is printed in time").isLessThan(end);
      Thread.sleep(20);
    }
    return URI.create(out.toString(UTF_8).strip());
  }

  private byte[] get(URI url) throws Exception {
    return client.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofByteArray()).body();
  }
}
