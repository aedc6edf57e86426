package dev.tamis.cli.console;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version, as Maven leaves it in the jar. */
public final class Version implements IVersionProvider {

  private static final String RESOURCE = "/META-INF/maven/dev.tamis/tamis-cli/pom.properties";

  @Override
  public String[] getVersion() throws IOException {
    return new String[] {line()};
  }

  public static String line() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream(RESOURCE)) {
      if (in != null) {
        properties.load(in);
      }
    }
    return "tamis " + properties.getProperty("version", "unpackaged");
  }
}
