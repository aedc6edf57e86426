package dev.tamis.cli.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CorpusMatchTest {

  private static final String QUESTION = "what is the name of the seventh moon";

  @TempDir Path directory;
  private Path eval;
  private Path texts;
  private Path filter;

  @BeforeEach
  void writeTexts() throws IOException {
    eval = directory.resolve("eval.jsonl");
    Files.writeString(eval, "{\"question\":\"" + QUESTION + "\"}\n");
    texts = directory.resolve("texts.jsonl");
    Files.writeString(
        texts,
        String.format(
            Locale.ROOT,
            """
            {"id":1,"text":"nothing of it at all, is there?"}
            {"id":2,"text":"é\\n%s of mars"}
            {"id":3,"text":"it asks what is the name and no more of the seventh moon"}
            """,
            QUESTION));
    filter = directory.resolve("filter");
  }

  @ParameterizedTest
  @ValueSource(strings = {"blocked", "classic", "fuse", "ribbon", "blocked -n 100"})
  void whatOverlapsIsReportedWithThePassagesThatMatched(String type) throws IOException {
    build("--ngrams 3 -t " + type);
    Path out = directory.resolve("out");
    Cli.run("corpus match -q --paragraphs --ngrams 3 -o", out, filter, texts)
        .ok()
        .prints(
            String.format(
                Locale.ROOT,
                """
                {"file":"%s","line":2,"id":2,"start":2,"end":46,"overlap":0.7500,"matches":["%s"]}
                """,
                texts,
                QUESTION));
    assertThat(out.resolve("texts.jsonl"))
        .hasContent(
            """
            {"id":1,"text":"nothing of it at all, is there?"}
            {"id":2,"text":"é\\n"}
            {"id":3,"text":"it asks what is the name and no more of the seventh moon"}
            """);
  }

  @Test
  void passagesThatDoNotTouchAreListedApart() {
    build("--ngrams 3");
    Cli.run("corpus match -q --ngrams 3 --overlap 0.3", filter, texts)
        .ok()
        .says("")
        .prints(
            String.format(
                Locale.ROOT,
                """
                {"file":"%1$s","line":2,"id":2,"start":0,"end":46,"overlap":0.6667,"matches":["%2$s"]}
                {"file":"%1$s","line":3,"id":3,"start":0,"end":56,"overlap":0.3636,\
                "matches":["what is the name","of the seventh moon"]}
                """,
                texts,
                QUESTION));
  }

  @Test
  void theStatusTellsWhetherSomethingOverlaps() throws IOException {
    build("--ngrams 3");
    Path other = Files.writeString(directory.resolve("other.jsonl"), "{\"text\":\"a b c d e\"}\n");
    Cli.run("corpus match --ngrams 3", filter, other).exits(1).sums("records=1 repeats=0");
  }

  @Test
  void documentsMatchAsAWhole() {
    build("");
    Cli.run("corpus match -q --field question", filter, eval)
        .ok()
        .says("")
        .prints(
            String.format(
                Locale.ROOT,
                """
                {"file":"%s","line":1,"id":null,"start":0,"end":36,"overlap":1.0000}
                """,
                eval));
  }

  @ParameterizedTest
  @ValueSource(strings = {"blocked", "fuse", "ribbon"})
  void otherParametersAreRefusedByName(String type) throws IOException {
    build("--ngrams 3 --normalize lower -t " + type);
    for (String[] each :
        new String[][] {
          {"--ngrams 4 --normalize lower", "--ngrams differs"},
          {"--ngrams 3", "--normalize differs"},
          {"--paragraphs --normalize lower", "units differs"},
        }) {
      Cli.run("corpus match " + each[0], filter, texts)
          .refused("...: %s: it was filled with --ngrams 3 --normalize lower and...", each[1]);
    }
    Path lines = Files.writeString(directory.resolve("lines"), "a\n");
    Cli.run("build -q -o", filter, lines).ok();
    Cli.run("corpus match", filter, texts).refused("...was filled by whole lines...");
  }

  @Test
  void anOverfullFilterIsNotWritten() throws IOException {
    Corpora.write(directory.resolve("in"), 1, 500, 1);
    Cli.run("corpus build --ngrams 3 -n 100 -o", filter, directory.resolve("in"))
        .refused("...filter is overfull: ...it was not written...");
    assertThat(filter).doesNotExist();
    Cli.run("corpus build --ngrams 3 -n 100 -t ribbon -o", filter, texts)
        .refused("...-n cannot size a ribbon filter...");
  }

  private void build(String options) {
    Cli.run("corpus build -q --field question -o", filter, options(options), eval).ok();
  }

  private static Object[] options(String options) {
    return options.isEmpty() ? new Object[0] : options.split(" ", -1);
  }
}
