package dev.tamis.examples.requests;

import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Sends each of some requests from several threads at once, then prints what became of them. */
public final class HandleOnce {

  private static final int THREADS = 8;

  private HandleOnce() {}

  /** Takes the number of requests as its only argument. */
  public static void main(String[] args)
      throws IOException, InterruptedException, ExecutionException {
    run(Integer.parseInt(args[0]), System.out);
  }

  static void run(int requests, PrintStream out)
      throws IOException, InterruptedException, ExecutionException {
    Duration window = Duration.ofMinutes(10);
    ExecutorService clients = Executors.newFixedThreadPool(THREADS);
    try (RequestServer server =
        new RequestServer(THREADS, window, 100_000, InstantSource.system(), name -> {})) {
      HttpClient client = HttpClient.newHttpClient();
      List<Callable<Integer>> sent = new ArrayList<>();
      for (int request = 0; request < requests; request++) {
        HttpRequest named =
            HttpRequest.newBuilder(server.uri())
                .header("Idempotency-Key", "request-" + request)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        for (int i = 0; i < THREADS; i++) {
          sent.add(() -> client.send(named, BodyHandlers.discarding()).statusCode());
        }
      }
      for (Future<Integer> answer : clients.invokeAll(sent)) {
        int unused = answer.get(); // or throws what went wrong
      }
      out.println(server.summary());
    } finally {
      clients.shutdown();
    }
  }
}
