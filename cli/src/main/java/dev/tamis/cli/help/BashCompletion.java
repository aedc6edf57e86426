package dev.tamis.cli.help;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Writes the completion script for bash. */
final class BashCompletion {

  /*
   * Picocli's generator writes a script ten times as long that completes no argument of our types and
   * no command after a parameter, as in tamis queue DIR.
   */

  private static final String FUNCTION =
      """
      _tamis() {
        local path='' option='' value='' given=0 i word
        local options valued commands parameters values
        _tamis_command ''
        for ((i = 1; i < COMP_CWORD; i++)); do
          word=${COMP_WORDS[i]}
          if [[ $word == '=' ]]; then # bash takes it for a word of its own
            value=follows
          elif [[ -n $value ]]; then
            value=
          elif [[ " $valued " == *" $word "* ]]; then
            option=$word value=follows
          elif [[ $word == -* ]]; then
            option=$word
          elif ((given >= parameters)) && [[ " $commands " == *" $word "* ]]; then
            path="$path $word" given=0
            _tamis_command "$path"
          else
            ((given++))
          fi
        done
        word=${COMP_WORDS[COMP_CWORD]}
        if [[ $word == '=' && -n $option ]]; then
          value=follows word=
        fi
        if [[ -n $value ]]; then
          _tamis_values "$path $option"
        elif [[ $word == -* ]]; then
          values=$options
        elif [[ -n $commands ]] && ((given >= parameters)); then
          values=$commands
        else
          _tamis_values "$path"
        fi
        case $values in
          files) COMPREPLY=() ;; # complete -o default
          '') COMPREPLY=() && compopt +o default 2>/dev/null ;;
          *) COMPREPLY=($(compgen -W "$values" -- "$word")) ;;
        esac
      }

      complete -o default -F _tamis tamis
      """;

  private BashCompletion() {}

  static String of(CommandLine root) {
    StringBuilder script = new StringBuilder("# Completion of tamis for bash.\n\n");
    List<Completable> commands = Completable.all(root);
    script.append("_tamis_command() {\n  case $1 in\n");
    for (Completable command : commands) {
      script
          .append("    '")
          .append(command.path())
          .append("')\n      options='")
          .append(String.join(" ", command.optionNames(false)))
          .append("'\n      valued='")
          .append(String.join(" ", command.optionNames(true)))
          .append("'\n      commands='")
          .append(String.join(" ", command.commands()))
          .append("'\n      parameters=")
          .append(command.parameters().size())
          .append("\n      ;;\n");
    }
    script.append("  esac\n}\n\n_tamis_values() {\n  case $1 in\n");
    for (Completable command : commands) {
      for (OptionSpec option : command.options()) {
        for (String name : option.names()) {
          line(command.path() + " " + name, command.values(option), script);
        }
      }
      line(command.path(), command.parameter(), script);
    }
    return script.append("    *) values= ;;\n  esac\n}\n\n").append(FUNCTION).toString();
  }

  private static void line(String place, Completable.Values values, StringBuilder script) {
    String words =
        values instanceof Completable.Words choice
            ? String.join(" ", choice.words())
            : values instanceof Completable.Files ? "files" : "";
    if (!words.isEmpty()) {
      script.append("    '").append(place).append("') values='").append(words).append("' ;;\n");
    }
  }
}
