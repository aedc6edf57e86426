package dev.tamis.cli.help;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What the help of a command says below its options: paragraphs, lists and examples.
 *
 * <p>It is the footer of the command's annotation: a blank line ends a paragraph, indented lines
 * with two spaces between a term and its text are a list, and indented lines after a {@code $} are
 * an example. Text is wrapped for the terminal, an example never, so that it can be pasted.
 */
public record HelpText(List<Block> blocks) {

  private static final String INDENT = "  ";
  private static final String PROMPT = INDENT + "$ ";
  private static final Pattern ITEM = Pattern.compile("  (\\S.*?) {2,}(\\S.*)");

  public sealed interface Block permits Paragraph, Items, Example {}

  public record Paragraph(String text) implements Block {
    boolean introduces() {
      return text.endsWith(":");
    }
  }

  public record Items(List<Item> items) implements Block {}

  public record Item(String term, String text) {}

  /** Commands after a prompt and what they print, as it is. */
  public record Example(List<String> lines) implements Block {}

  public static HelpText of(CommandSpec command) {
    List<Block> blocks = new ArrayList<>();
    List<String> block = new ArrayList<>();
    for (String line : String.join("\n", command.usageMessage().footer()).split("\n", -1)) {
      boolean inExample = !block.isEmpty() && block.get(0).startsWith(PROMPT);
      boolean belongs =
          !block.isEmpty()
              && (isIndented(line) ? isIndented(block.get(0)) : !isIndented(block.get(0)));
      if (line.isEmpty() ? !inExample : !belongs) {
        add(block, blocks);
        block.clear();
      }
      if (!line.isEmpty() || inExample) { // what a command prints may have blank lines
        block.add(line);
      }
    }
    add(block, blocks);
    return new HelpText(blocks);
  }

  private static boolean isIndented(String line) {
    return line.startsWith(INDENT);
  }

  private static void add(List<String> lines, List<Block> blocks) {
    while (!lines.isEmpty() && lines.get(lines.size() - 1).isEmpty()) {
      lines.remove(lines.size() - 1);
    }
    if (lines.isEmpty()) {
      return;
    }
    if (!isIndented(lines.get(0))) {
      blocks.add(new Paragraph(String.join(" ", lines)));
    } else if (lines.get(0).startsWith(PROMPT)) {
      blocks.add(
          new Example(
              lines.stream()
                  .map(line -> line.isEmpty() ? line : line.substring(INDENT.length()))
                  .toList()));
    } else {
      blocks.add(new Items(lines.stream().map(HelpText::item).toList()));
    }
  }

  private static Item item(String line) {
    Matcher item = ITEM.matcher(line);
    if (!item.matches()) {
      throw new IllegalStateException("a list needs two spaces after a term: '" + line + "'");
    }
    return new Item(item.group(1), item.group(2));
  }

  /** Returns the text in lines of at most {@code width} columns, examples aside. */
  String wrapped(int width) {
    StringBuilder text = new StringBuilder();
    boolean introduced = false;
    for (Block block : blocks) {
      text.append(introduced ? "" : "\n");
      introduced = block instanceof Paragraph paragraph && paragraph.introduces();
      if (block instanceof Paragraph paragraph) {
        TextTable table = table(new Column(width, 0, Overflow.WRAP));
        table.addRowValues(paragraph.text());
        table.toString(text);
      } else if (block instanceof Items list) {
        append(list, width, text);
      } else if (block instanceof Example example) {
        example
            .lines()
            .forEach(line -> text.append(line.isEmpty() ? "" : INDENT + line).append('\n'));
      }
    }
    return text.toString();
  }

  private static void append(Items list, int width, StringBuilder text) {
    int longest = list.items().stream().mapToInt(item -> item.term().length()).max().orElse(0);
    int terms = longest + 2 * INDENT.length();
    TextTable table =
        table(
            new Column(terms, INDENT.length(), Overflow.SPAN),
            new Column(width - terms, 0, Overflow.WRAP));
    list.items().forEach(item -> table.addRowValues(item.term(), item.text()));
    table.toString(text);
  }

  private static TextTable table(Column... columns) {
    TextTable table = TextTable.forColumns(Help.defaultColorScheme(Ansi.OFF), columns);
    table.indentWrappedLines = 0;
    return table;
  }
}
