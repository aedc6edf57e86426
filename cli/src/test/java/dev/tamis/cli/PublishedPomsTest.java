package dev.tamis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The poms that users get: what Maven Central demands, and nothing that only this build needs. */
class PublishedPomsTest {

  private static final List<String> DEMANDED =
      List.of(
          "groupId",
          "artifactId",
          "version",
          "name",
          "description",
          "url",
          "licenses/license/name",
          "licenses/license/url",
          "developers/developer/name",
          "scm/connection",
          "scm/developerConnection",
          "scm/url");

  private static final List<String> MANAGED =
      List.of("core tools crawler blocklist redis spark flink explorer cli".split(" ", -1));

  private static final List<String> OF_THIS_BUILD =
      List.of("parent", "properties", "build", "repositories", "modules", "profiles");

  static List<String> modules() {
    return Stream.concat(MANAGED.stream(), Stream.of("bom")).toList();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void sayWhatMavenCentralDemands(String module) throws Exception {
    Element project = pom(module);
    for (String path : DEMANDED) {
      assertThat(texts(project, path)).as(path).isNotEmpty().noneMatch(String::isBlank);
    }
    assertThat(texts(project, "artifactId")).containsExactly("tamis-" + module);
  }

  @ParameterizedTest
  @MethodSource("modules")
  void standAlone(String module) throws Exception {
    Element project = pom(module);
    for (String path : OF_THIS_BUILD) {
      assertThat(elements(project, path)).as(path).isEmpty();
    }
    // The one that every model has, and which the BOM keeps.
    assertThat(Files.readString(file(module)).replace("${project.version}", ""))
        .doesNotContain("${");
    assertThat(texts(project, "dependencies/dependency/version"))
        .hasSameSizeAs(elements(project, "dependencies/dependency"));
    assertThat(texts(project, "dependencies/dependency/scope")).doesNotContain("test", "system");
  }

  @Test
  void theBomNamesEveryOtherModule() throws Exception {
    Element bom = pom("bom");
    String managed = "dependencyManagement/dependencies/dependency/";
    assertThat(texts(bom, managed + "artifactId"))
        .containsExactlyElementsOf(MANAGED.stream().map("tamis-"::concat).toList());
    assertThat(texts(bom, managed + "version")).containsOnly("${project.version}");
  }

  private static Element pom(String module) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(file(module).toFile())
        .getDocumentElement();
  }

  private static Path file(String module) {
    return RunTimeJars.built(module, "published-pom.xml");
  }

  private static List<String> texts(Element parent, String path) {
    return elements(parent, path).stream().map(Element::getTextContent).toList();
  }

  /** Returns the elements whose names from {@code parent} downwards are those of the path. */
  private static List<Element> elements(Element parent, String path) {
    List<Element> found = List.of(parent);
    for (String name : path.split("/", -1)) {
      List<Element> below = new ArrayList<>();
      for (Element element : found) {
        NodeList children = element.getChildNodes();
        IntStream.range(0, children.getLength())
            .mapToObj(children::item)
            .filter(node -> node.getNodeName().equals(name))
            .forEach(node -> below.add((Element) node));
      }
      found = below;
    }
    return found;
  }
}
