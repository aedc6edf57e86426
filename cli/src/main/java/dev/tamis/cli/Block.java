package dev.tamis.cli;

import picocli.CommandLine.Command;

/** {@code tamis block}: lists of addresses and domains to block. */
@Command(
    name = "block",
    description = "Block addresses and domains by large lists in little memory.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "tamis block COMMAND --help explains a command.",
      "",
      "Example:",
      "  $ printf '.spam.example\\njoe@mail.example\\n' | tamis block build -q -o x.block",
      "  $ printf 'ann@www.spam.example\\nann@mail.example\\n' | tamis block check -q x.block",
      "  ann@www.spam.example",
    })
final class Block {}
