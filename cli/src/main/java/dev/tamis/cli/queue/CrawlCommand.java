package dev.tamis.cli.queue;

import dev.tamis.HashedMutableFilter;
import dev.tamis.cli.console.Choice;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.ExitStatus;
import dev.tamis.cli.console.PageProgress;
import dev.tamis.cli.console.StandardOutput;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.console.Version;
import dev.tamis.cli.report.NumberParser;
import dev.tamis.cli.report.Reconciliation;
import dev.tamis.cli.report.Report;
import dev.tamis.cli.report.SummaryOptions;
import dev.tamis.crawler.crawl.Crawl;
import dev.tamis.crawler.crawl.CrawlBuilder;
import dev.tamis.crawler.crawl.CrawlSummary;
import dev.tamis.crawler.crawl.LinkCounts;
import dev.tamis.crawler.crawl.Outcome;
import dev.tamis.crawler.crawl.PageLimits;
import dev.tamis.crawler.crawl.PageResult;
import dev.tamis.crawler.crawl.Reach;
import dev.tamis.crawler.queue.StoredParameterException;
import dev.tamis.crawler.queue.UrlKey;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis crawl}: visits every page of a site once and lists it. */
@Command(
    name = "crawl",
    description = "Visit every page of a site once, politely, and list the pages.",
    footer = {
      "Prints one line per URL in tab-separated columns, named in the first line.",
      "robots.txt is obeyed, with one request at a time to a host. After Ctrl-C or a",
      "crash the same command with --queue and --resume continues the crawl; FILE then",
      "lists each page exactly once. Exit status: 0 if a page was found, 1 if none was, 2 on any",
      "error, or if links were lost in an overfull queue.",
      "",
      "Example:",
      "  $ tamis crawl http://localhost:8000/ --queue crawl -o pages.tsv",
      "  pages=3 page=2 file=0 redirect=0 client-error=1 ...",
    })
public final class CrawlCommand implements Callable<Integer> {

  private static final int MAX_REASONS = 3;

  private final Streams streams;

  @Mixin private SummaryOptions report = new SummaryOptions();

  @Option(
      names = "--queue",
      paramLabel = "DIR",
      description =
          "Directory of the queue; must be missing or empty unless --resume is given. Without it"
              + " the queue is temporary, and the crawl cannot be continued.")
  private @Nullable Path queue;

  @Option(
      names = "--resume",
      description = "Continue the crawl in DIR, or start it; URL, --scope, --key and -o as before.")
  private boolean resume;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "List the pages in FILE, which must not exist unless --resume is given.")
  private @Nullable Path output;

  @Option(
      names = "--scope",
      defaultValue = "host",
      paramLabel = "SCOPE",
      converter = Scope.class,
      completionCandidates = Scope.class,
      description =
          "Follow links to the host and port of a URL: host; only below its last slash: prefix; or"
              + " to all ports of the host: all-ports (default: ${DEFAULT-VALUE}).")
  private Reach reach = Reach.HOST;

  @Option(
      names = "--delay",
      paramLabel = "TIME",
      description =
          "Minimum delay between requests to one host, such as 500ms or 2m, in seconds without a"
              + " unit (default: 1s).")
  private Duration delay = CrawlBuilder.DEFAULT_DELAY;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = "Timeout of a request, such as 500ms or 2m (default: 30s).")
  private Duration timeout = CrawlBuilder.DEFAULT_TIMEOUT;

  @Option(
      names = "--max-pages",
      paramLabel = "N",
      description = "Stop after N URLs, including those of earlier runs.")
  private @Nullable Long maxPages;

  @Option(
      names = "--max-per-host",
      paramLabel = "N",
      description = "Queue at most N URLs of one host.")
  private @Nullable Long maxPerHost;

  @Option(
      names = "--max-size",
      paramLabel = "SIZE",
      converter = NumberParser.SizeConverter.class,
      description = "Maximum size of a page (default: 10MiB).")
  private long maxSize = PageLimits.DEFAULT.maxBytes();

  @Option(
      names = "--parse-timeout",
      paramLabel = "TIME",
      description = "Maximum time to parse a page, such as 500ms or 2m (default: 30s).")
  private Duration parseTimeout = PageLimits.DEFAULT.parseTimeout();

  @Option(
      names = "--max-links",
      paramLabel = "N",
      description = "Follow at most N links of a page (default: 50k).")
  private long maxLinks = PageLimits.DEFAULT.maxLinks();

  @Option(
      names = "--max-links-size",
      paramLabel = "SIZE",
      converter = NumberParser.SizeConverter.class,
      description = "Maximum size of a page's links in the queue (default: 10MiB).")
  private long maxLinksSize = PageLimits.DEFAULT.maxLinkBytes();

  @Option(
      names = "--allow-private",
      description = "Connect to private addresses too, not only to those given as URL.")
  private boolean allowPrivate;

  @Option(
      names = {"-j", "--jobs"},
      paramLabel = "N",
      description = "Number of hosts visited in parallel (default: 4).")
  private long jobs = CrawlBuilder.DEFAULT_JOBS;

  @Option(
      names = "--user-agent",
      paramLabel = "TEXT",
      description = "User-Agent header; its product name is matched against robots.txt.")
  private @Nullable String userAgent;

  @Option(
      names = "--allow-overfull",
      description = "Succeed although new URLs were refused, or dropped by a full filter.")
  private boolean allowOverfull;

  @Mixin private final SeenOption seen;

  @Mixin private QueueOptions options = new QueueOptions();

  @Parameters(paramLabel = "URL", arity = "1..*", description = "Where to start.")
  private List<String> urls = List.of();

  private final List<PageResult> failures = new ArrayList<>();

  public CrawlCommand(Streams streams) {
    QueueCommand.silenceLibrary();
    this.streams = streams;
    this.seen = new SeenOption(streams.err());
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    long start = System.nanoTime();
    checkAtMost("--max-size", maxSize, PageLimits.LARGEST_BYTES);
    checkAtMost("--max-links", maxLinks, PageLimits.LARGEST_LINKS);
    checkAtMost("--max-links-size", maxLinksSize, PageLimits.LARGEST_BYTES);
    checkAtMost("--jobs", jobs, CrawlBuilder.LARGEST_JOBS);
    if (resume && queue == null) {
      throw new CommandException("--resume needs the --queue DIR of the crawl to continue");
    }
    return seen.<Integer, InterruptedException>openOrCreate(
        "crawl", options, CrawlBuilder.DEFAULT_FPP, shared -> crawl(shared, start));
  }

  private int crawl(@Nullable HashedMutableFilter<CharSequence> shared, long start)
      throws IOException, InterruptedException {
    try (QueuePlace place = new QueuePlace(queue);
        PageProgress pages = report.pages(output != null, streams.err())) {
      Crawl crawl = open(place.directory, pages, shared);
      OnInterrupt interrupt = new OnInterrupt(crawl::stop);
      try (interrupt) {
        CrawlSummary summary;
        try (place;
            crawl) {
          summary = crawl.run();
        }
        pages.end(); // before messages and the summary
        return report(summary, start);
      }
    }
  }

  private static void checkAtMost(String option, long value, long max) {
    if (value > max) {
      throw new CommandException("%s must be at most %s, got %s", option, max, value);
    }
  }

  private Crawl open(
      Path directory, PageProgress pages, @Nullable HashedMutableFilter<CharSequence> shared)
      throws IOException {
    CrawlBuilder builder =
        Crawl.builder()
            .userAgent(userAgent != null ? userAgent : defaultUserAgent())
            .reach(reach)
            .delay(delay)
            .timeout(timeout)
            .pageLimits(
                new PageLimits((int) maxSize, parseTimeout, (int) maxLinks, (int) maxLinksSize))
            .jobs((int) jobs)
            .listener(page -> listed(page, pages));
    urls.forEach(builder::start);
    apply(options, builder);
    if (shared != null) {
      builder.queue(queueBuilder -> queueBuilder.sharedFilter(shared));
    }
    if (maxPages != null) {
      builder.maxPages(maxPages);
    }
    if (maxPerHost != null) {
      long most = maxPerHost;
      builder.queue(queueBuilder -> queueBuilder.maxPerHost(most));
    }
    if (allowPrivate) {
      builder.allowPrivate();
    }
    if (output != null) {
      builder.pages(output);
    } else {
      builder.pages(new StandardOutput(streams.out()));
    }
    try {
      return resume ? builder.resume(directory) : builder.begin(directory);
    } catch (StoredParameterException e) {
      throw QueueOptions.differs(directory, e);
    }
  }

  private void apply(QueueOptions given, CrawlBuilder builder) {
    builder.queue(queueBuilder -> given.apply(queueBuilder, "crawl", streams));
    if (given.key() == UrlKey.NONE) {
      throw new CommandException(
          "--key none: a crawl requests no fragments, so its keys have none; give defrag or"
              + " strict");
    }
    if (given.key() != null) {
      builder.key(given.key());
    }
  }

  private static String defaultUserAgent() throws IOException {
    return Version.line().replace(' ', '/') + " (a crawler for tests and small sites)";
  }

  private void listed(PageResult page, PageProgress pages) {
    pages.step();
    if (page.outcome() != Outcome.PAGE && failures.size() < MAX_REASONS) {
      failures.add(page);
    }
  }

  private int report(CrawlSummary summary, long start) {
    LinkCounts links = summary.links();
    Reconciliation.check(
        "links",
        links.accepted()
            + links.known()
            + links.outOfScope()
            + links.overHostLimit()
            + links.overPageLimit()
            + links.full()
            + links.invalid(),
        links.found());
    Report figures = new Report().count("pages", summary.pages());
    summary.outcomes().forEach((outcome, count) -> figures.count(outcome.label(), count));
    figures
        .count("links", links.found())
        .count("new", links.accepted())
        .count("known", links.known())
        .count("out-of-scope", links.outOfScope())
        .count("over-host-limit", links.overHostLimit())
        .count("over-page-limit", links.overPageLimit())
        .count("full", links.full())
        .count("invalid", links.invalid())
        .count("requests", summary.requests())
        .count("retries", summary.retries())
        .count("pending", summary.pending())
        .known("expected-wrong-drops", summary.expectedWrongDrops())
        .secondsSince(start);
    boolean found = summary.count(Outcome.PAGE) + summary.count(Outcome.FILE) > 0;
    if (!found) {
      failures.forEach(page -> report.remark(reason(page), streams.err()));
    }
    if (summary.count(Outcome.REFUSED) > 0) {
      streams.message(
          "tamis crawl: URLs at private addresses, not requested: %s; --allow-private requests"
              + " them",
          summary.count(Outcome.REFUSED));
    }
    if (links.overPageLimit() > 0) {
      streams.message(
          "tamis crawl: links beyond --max-links or --max-links-size, not followed: %s",
          links.overPageLimit());
    }
    if (links.full() > 0) {
      streams.message(
          "tamis crawl: the queue is full; links to new URLs not queued: %s", links.full());
    }
    if (summary.overfull() && !allowOverfull) {
      streams.message(
          "tamis crawl: the queue is overfull: its fpp is more than 10 times the requested"
              + " one, so new URLs are dropped as known; crawl again with a larger -n, or"
              + " repeat with --allow-overfull");
    }
    if (summary.pending() > 0) {
      report.remark(
          "tamis crawl: URLs still queued: "
              + summary.pending()
              + (queue != null ? "; continue with --resume" : "; with --queue it could continue"),
          streams.err());
    }
    if (summary.overfull()) {
      figures.flag("overfull");
    }
    report.print(figures, streams.err());
    if ((summary.overfull() || links.full() > 0) && !allowOverfull) {
      return ExitStatus.ERROR;
    }
    return found ? 0 : ExitStatus.NOTHING_FOUND;
  }

  /** The directory given, or a temporary one that is removed. */
  private static final class QueuePlace implements Closeable {

    final Path directory;
    private final boolean isTemporary;

    QueuePlace(@Nullable Path given) throws IOException {
      isTemporary = given == null;
      directory = given != null ? given : Files.createTempDirectory("tamis-crawl-");
    }

    @Override
    public void close() throws IOException {
      if (!isTemporary || !Files.exists(directory)) {
        return;
      }
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static String reason(PageResult page) {
    String status = page.status().isPresent() ? " " + page.status().getAsInt() : "";
    String detail = page.detail().isEmpty() ? "" : ": " + page.detail();
    return "tamis crawl: " + page.url() + ": " + page.outcome().label() + status + detail;
  }

  static final class Scope extends Choice<Reach> {
    Scope() {
      super(
          List.of(Reach.HOST, Reach.PREFIX, Reach.ALL_PORTS),
          reach -> reach.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }
  }

  /** Ends a command cleanly on Ctrl-C: signals it to stop, then waits until it has. */
  private static final class OnInterrupt implements AutoCloseable {

    /** A user would take a longer wait for a failure. */
    private static final long PATIENCE_SECONDS = 10;

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook;

    /** Calls {@code stop} when the process receives a signal to end, until this is closed. */
    OnInterrupt(Runnable stop) {
      hook = new Thread(() -> stopAndWait(stop), "interrupt");
      Runtime.getRuntime().addShutdownHook(hook);
    }

    private void stopAndWait(Runnable stop) {
      stop.run();
      try {
        ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {
      ended.countDown();
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // the process is ending, and was waiting for this
      }
    }
  }
}
