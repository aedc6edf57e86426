package dev.tamis.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * The jars of others that the modules run with: by name, what there is to approve of each.
 *
 * @param facts version, licences and modules of each jar
 */
record RunTimeJars(Map<String, String> facts) {

  /**
   * Those that the command is made of. The bridges to engines bring what core brings (ConsumerIT),
   * and building the command needs neither.
   */
  private static final List<String> MODULES =
      List.of("core", "tools", "crawler", "blocklist", "redis", "explorer", "cli");

  private static final Pattern LISTED =
      Pattern.compile(
          " +(?<group>[^:]+):(?<artifact>[^:]+):jar:(?<rest>(?:[^:]+:)?(?<version>[^:]+))"
              + ":(?:compile|runtime):(?<path>.+?)(?<optional> \\(optional\\))?(?: -- module .*)?");

  private static final String OURS = "dev.tamis";

  /** Reads the approved ones: what, version, licences, modules, and why it is needed. */
  static RunTimeJars approved() {
    try (var in = RunTimeJars.class.getResourceAsStream("approved-jars.txt")) {
      if (in == null) {
        throw new IllegalStateException("approved-jars.txt is not on the class path");
      }
      return approved(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static RunTimeJars approved(Stream<String> lines) {
    Map<String, String> facts = new TreeMap<>();
    for (String line : lines.filter(text -> !text.isEmpty() && !text.startsWith("#")).toList()) {
      String[] columns = line.split(" \\| ", -1);
      if (columns.length != 5 || columns[4].isBlank()) {
        throw new IllegalArgumentException(
            "approved-jars.txt: a line must be JAR | VERSION | LICENCES | MODULES | WHY, got "
                + line);
      }
      if (facts.put(columns[0], columns[1] + " | " + columns[2] + " | " + columns[3]) != null) {
        throw new IllegalArgumentException(
            "approved-jars.txt: must have one line for " + columns[0] + ", got two");
      }
    }
    return new RunTimeJars(facts);
  }

  /** Reads what Maven has resolved for each module in this build. */
  static RunTimeJars resolved() {
    Map<String, String> versions = new TreeMap<>();
    Map<String, StringJoiner> modules = new TreeMap<>();
    for (String module : MODULES) {
      for (String line : list(module)) {
        Matcher jar = LISTED.matcher(line.stripTrailing());
        if (!jar.matches()) {
          throw new IllegalStateException(module + ": not a jar in Maven's list: " + line);
        }
        if (jar.group("group").equals(OURS)) {
          continue;
        }
        String name = jar.group("group") + ":" + jar.group("artifact");
        String version = jar.group("rest") + " | " + licences(jar);
        String before = versions.putIfAbsent(name, version);
        if (before != null && !before.equals(version)) {
          throw new IllegalStateException(name + ": modules differ: " + before + ", " + version);
        }
        modules
            .computeIfAbsent(name, any -> new StringJoiner(" "))
            .add(module + (jar.group("optional") == null ? "" : "?"));
      }
    }
    versions.replaceAll((name, version) -> version + " | " + modules.get(name));
    return new RunTimeJars(versions);
  }

  private static List<String> list(String module) {
    Path list = built(module, "run-time-jars.txt");
    try {
      return Files.readAllLines(list).stream()
          .filter(line -> line.startsWith(" ") && !line.isBlank())
          .filter(line -> !line.strip().equals("none"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(
          list + ": cannot be read; build it with mvn test -pl cli -am", e);
    }
  }

  /** Returns a file that this build has made for a module, in the target folder of its profile. */
  static Path built(String module, String file) {
    try {
      Path classes =
          Path.of(RunTimeJars.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path target = repository().resolve("cli").relativize(classes.getParent());
      return repository().resolve(module).resolve(target).resolve(file);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  static Path repository() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isRegularFile(folder.resolve("tamis"))) {
      folder = folder.getParent();
      if (folder == null) {
        throw new IllegalStateException("no folder above this one holds the launcher, tamis");
      }
    }
    return folder;
  }

  /** Returns the licences as the jar's pom names them, or that of its nearest parent with some. */
  private static String licences(Matcher jar) {
    String group = jar.group("group");
    String artifact = jar.group("artifact");
    String version = jar.group("version");
    String path = jar.group("path").replace('\\', '/');
    int inside = path.lastIndexOf(group.replace('.', '/') + "/" + artifact + "/" + version + "/");
    return licences(Path.of(path.substring(0, inside)), group, artifact, version);
  }

  private static String licences(Path repository, String group, String artifact, String version) {
    Path pom =
        repository
            .resolve(group.replace('.', '/'))
            .resolve(artifact)
            .resolve(version)
            .resolve(artifact + "-" + version + ".pom");
    Element project;
    try {
      project =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(pom.toFile())
              .getDocumentElement();
    } catch (Exception e) {
      throw new IllegalStateException(pom + ": cannot be read", e);
    }
    StringJoiner names = new StringJoiner(", ");
    for (Element licences : children(project, "licenses")) {
      children(licences, "license").forEach(licence -> names.add(text(licence, "name")));
    }
    if (names.length() > 0) {
      return names.toString();
    }
    List<Element> parent = children(project, "parent");
    return parent.isEmpty()
        ? "none"
        : licences(
            repository,
            text(parent.get(0), "groupId"),
            text(parent.get(0), "artifactId"),
            text(parent.get(0), "version"));
  }

  private static String text(Element parent, String name) {
    return children(parent, name).get(0).getTextContent().strip();
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> found = new ArrayList<>();
    for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child instanceof Element element && element.getTagName().equals(name)) {
        found.add(element);
      }
    }
    return found;
  }

  /** Returns how these differ from those approved, each with what to do. */
  List<String> differencesFrom(RunTimeJars approved) {
    List<String> differences = new ArrayList<>();
    facts.forEach(
        (name, found) -> {
          String expected = approved.facts.get(name);
          if (expected == null) {
            differences.add(
                name
                    + ": a new jar, not in approved-jars.txt: "
                    + found
                    + "; exclude it in the pom, or add a line that says why it is needed");
          } else if (!expected.equals(found)) {
            differences.add(
                name
                    + ": approved with "
                    + expected
                    + ", got "
                    + found
                    + "; look at what has changed, then change the line in approved-jars.txt");
          }
        });
    approved.facts.forEach(
        (name, expected) -> {
          if (!facts.containsKey(name)) {
            differences.add(
                name
                    + ": approved with "
                    + expected
                    + ", but no module runs with it; delete the line in approved-jars.txt");
          }
        });
    return differences;
  }
}
