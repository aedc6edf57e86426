package dev.tamis.cli.console;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The users and passwords in the URLs among the arguments, which no message repeats. */
final class UrlUsers {

  /*
   * An error may quote an argument anywhere: as a file that does not exist, an unknown option, a
   * number that is none. So what must not be printed is taken from the arguments, where it is clear
   * where a URL ends, and not searched for in the messages.
   */

  /** Everything up to the last @, because what should be escaped in a password often is not. */
  private static final Pattern OF_REDIS =
      Pattern.compile("rediss?:/+(.*)@", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  /** Those of other schemes, such as misspelt ones. */
  private static final Pattern OF_OTHERS = Pattern.compile(":/++([^/?#]*)@");

  private static final String IN_PLACE = "***@";

  private final List<String> users;

  private UrlUsers(List<String> users) {
    this.users = users;
  }

  static UrlUsers in(List<String> arguments) {
    List<String> users = new ArrayList<>();
    for (String argument : arguments) {
      // without the rest, in which every attempt would fail after having read all of it
      String start = argument.substring(0, argument.lastIndexOf('@') + 1);
      for (Pattern pattern : List.of(OF_REDIS, OF_OTHERS)) {
        Matcher matcher = pattern.matcher(start);
        while (matcher.find()) {
          String user = matcher.group(1) + "@";
          users.add(user);
          users.add(user.replaceAll("/+", "/")); // as the name of a file has it
        }
      }
    }
    // the longest first: a shorter one may be its end
    users.sort(Comparator.comparingInt(String::length).reversed());
    return new UrlUsers(users.stream().filter(user -> user.length() > 1).distinct().toList());
  }

  String hide(String message) {
    String hidden = message;
    for (String user : users) {
      hidden = hidden.replace(user, IN_PLACE);
    }
    return hidden;
  }
}
