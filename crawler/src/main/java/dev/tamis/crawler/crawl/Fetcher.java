package dev.tamis.crawler.crawl;

import static java.util.Objects.requireNonNull;

import dev.tamis.crawler.crawl.FetchResult.Failure;
import dev.tamis.crawler.crawl.FetchResult.Head;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;
import javax.net.SocketFactory;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.Dns;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;

/** Sends requests to permitted addresses, limited in time and in bytes. Thread-safe. */
final class Fetcher implements AutoCloseable {

  /*
   * OkHttp rather than the client of the JDK, which resolves hosts itself and connects to whatever
   * that gave. Here the socket is ours, so an address is checked at the connection. What OkHttp does
   * by itself is off: redirects, proxies, which would connect in our place, cookies, and requests
   * repeated for their status.
   */

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /** Enough for hosts visited in turn, and far from the limit of open files. */
  private static final int MAX_IDLE_CONNECTIONS = 64;

  /** Longer than the usual delay between two visits, shorter than servers usually wait. */
  private static final long IDLE_SECONDS = 30;

  /** Enough for headers, which OkHttp limits to 256 KiB, certificates, and lines of chunks. */
  private static final long FRAMING_BYTES = 1 << 20;

  /** Bytes that the request of this thread may still receive. */
  private final ThreadLocal<AtomicLong> room = ThreadLocal.withInitial(AtomicLong::new);

  private final OkHttpClient client;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "crawl request");
            thread.setDaemon(true);
            return thread;
          });
  private final String userAgent;
  private final Duration timeout;
  private final AtomicLong requests = new AtomicLong();

  /** Creates a fetcher; the timeout is from resolving the host to the last byte. */
  Fetcher(String userAgent, Duration timeout, AddressPolicy policy, Dns dns) {
    this.userAgent = userAgent;
    this.timeout = timeout;
    client =
        new OkHttpClient.Builder()
            .protocols(List.of(Protocol.HTTP_1_1)) // offering an upgrade confuses old servers
            .followRedirects(false)
            .proxy(Proxy.NO_PROXY)
            .dns(host -> named(host, dns.lookup(host)))
            .socketFactory(new CheckedSockets(policy))
            .connectTimeout(timeout.compareTo(CONNECT_TIMEOUT) < 0 ? timeout : CONNECT_TIMEOUT)
            .readTimeout(Duration.ZERO) // the timeout of the request is enough
            .connectionPool(
                new ConnectionPool(MAX_IDLE_CONNECTIONS, IDLE_SECONDS, TimeUnit.SECONDS))
            .addNetworkInterceptor(this::sent)
            .build();
  }

  /** Adds the host to its addresses, by which the policy tells a name from an address. */
  private static List<InetAddress> named(String host, List<InetAddress> addresses)
      throws UnknownHostException {
    List<InetAddress> named = new ArrayList<>();
    for (InetAddress address : addresses) {
      named.add(InetAddress.getByAddress(host, address.getAddress()));
    }
    return named;
  }

  /** Counts a request, and hides its status from OkHttp, which would repeat some by itself. */
  private Response sent(Interceptor.Chain chain) throws IOException {
    requests.incrementAndGet();
    Response response = chain.proceed(chain.request());
    requireNonNull(chain.request().tag(AtomicInteger.class)).set(response.code());
    return response.newBuilder().code(200).build();
  }

  long requests() {
    return requests.get();
  }

  /**
   * Requests a URI, without following redirects.
   *
   * @param maxBytes how much of the body to read, given the head of the response
   */
  FetchResult fetch(URI uri, ToIntFunction<Head> maxBytes) throws InterruptedException {
    AtomicInteger status = new AtomicInteger();
    Request request =
        new Request.Builder()
            .url(uri.toString())
            .tag(AtomicInteger.class, status)
            .header("User-Agent", userAgent)
            .header("Accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5")
            .header("Accept-Encoding", "gzip") // so OkHttp decompresses nothing
            .build();
    Call call = client.newCall(request);
    Future<FetchResult> answer = threads.submit(() -> exchange(call, status, maxBytes));
    try {
      return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return new Failure(
          Outcome.TIMED_OUT, "no complete response in " + timeout.toMillis() + " ms");
    } catch (ExecutionException e) {
      return failure(requireNonNull(e.getCause()));
    } finally {
      if (!answer.isDone()) {
        call.cancel(); // closes only this connection
        answer.cancel(true);
      }
    }
  }

  private FetchResult exchange(Call call, AtomicInteger status, ToIntFunction<Head> maxBytes)
      throws IOException {
    room.get().set(FRAMING_BYTES);
    try (Response response = call.execute()) {
      Head head = new Head(status.get(), response.headers());
      InputStream in = response.body().byteStream();
      int wanted = maxBytes.applyAsInt(head);
      room.get().addAndGet(2L * wanted); // each chunk has a line, which may be as long as itself
      byte[] bytes = in.readNBytes(wanted);
      boolean whole = in.read() < 0;
      if (!whole) {
        call.cancel(); // or closing would read on
      }
      return new FetchResult.Response(head, bytes, whole);
    }
  }

  private static Failure failure(Throwable thrown) {
    if (thrown instanceof RefusedException) {
      return new Failure(Outcome.REFUSED, requireNonNull(thrown.getMessage()));
    }
    if (thrown instanceof SocketTimeoutException) {
      return new Failure(Outcome.TIMED_OUT, "no connection in time");
    }
    if (thrown instanceof UnknownHostException) {
      return new Failure(Outcome.UNREACHABLE, "host cannot be resolved");
    }
    if (thrown instanceof ConnectException) {
      return new Failure(Outcome.UNREACHABLE, "no connection" + detail(thrown));
    }
    // whatever the client throws on a malformed response: a server must not stop a crawl
    String type = thrown instanceof IOException ? "" : ": " + thrown.getClass().getSimpleName();
    return new Failure(Outcome.UNREACHABLE, "connection failed" + type + detail(thrown));
  }

  private static String detail(Throwable thrown) {
    return thrown.getMessage() != null ? ": " + thrown.getMessage() : "";
  }

  @Override
  public void close() {
    threads.shutdownNow();
    client.connectionPool().evictAll();
  }

  /**
   * Makes sockets that connect to permitted addresses only.
   *
   * <p>The check is at the connection itself: what is checked is what is connected to, however the
   * host was resolved, and however often.
   */
  private final class CheckedSockets extends SocketFactory {

    private final AddressPolicy policy;

    CheckedSockets(AddressPolicy policy) {
      this.policy = policy;
    }

    @Override
    public Socket createSocket() {
      return new CheckedSocket();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
      return createSocket(InetAddress.getByName(host), port);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort)
        throws IOException {
      return createSocket(InetAddress.getByName(host), port, local, localPort);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
      return createSocket(host, port, new InetSocketAddress(0).getAddress(), 0);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
        throws IOException {
      Socket socket = createSocket();
      try {
        socket.bind(new InetSocketAddress(local, localPort));
        socket.connect(new InetSocketAddress(host, port));
        return socket;
      } catch (IOException e) {
        socket.close();
        throw e;
      }
    }

    private final class CheckedSocket extends Socket {
      @Override
      public void connect(SocketAddress endpoint, int timeoutMillis) throws IOException {
        if (!(endpoint instanceof InetSocketAddress target) || target.isUnresolved()) {
          throw new IOException("address must be resolved, got " + endpoint);
        }
        if (!policy.permits(target)) {
          throw new RefusedException(target);
        }
        super.connect(endpoint, timeoutMillis);
      }

      @Override
      public void connect(SocketAddress endpoint) throws IOException {
        connect(endpoint, 0);
      }

      /** OkHttp limits headers, but no line of a chunk. */
      @Override
      public InputStream getInputStream() throws IOException {
        return new FilterInputStream(super.getInputStream()) {
          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = super.read(bytes, offset, length);
            if (room.get().addAndGet(-Math.max(0, count)) < 0) {
              throw new IOException("too many bytes besides the body");
            }
            return count;
          }
        };
      }
    }
  }

  /** A crawl may not connect to an address. */
  static final class RefusedException extends IOException {

    private static final long serialVersionUID = 1;

    RefusedException(InetSocketAddress target) {
      super(
          "address "
              + target.getAddress().getHostAddress()
              + " is not public; allow private addresses to request it");
    }
  }
}
