package dev.tamis.blocklist;

import dev.tamis.blocklist.Blocklist.Finding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Entries that are never blocked, kept as they are. */
final class Allowlist {

  /** The name that allow entries have in place of a list's. */
  static final String NAME = "allow";

  private final Map<String, Finding.Kind> entries = new LinkedHashMap<>();
  private KeyForms forms = KeyForms.NONE;

  /** Adds an entry unless it is present. */
  void put(ListEntry entry, Finding.Kind kind) {
    entries.putIfAbsent(entry.text(), kind);
    forms = forms.and(entry);
  }

  Map<String, Finding.Kind> entries() {
    return entries;
  }

  boolean admits(Subject subject, boolean ignoresTags) {
    return !entries.isEmpty()
        && forms.keys(subject, ignoresTags).stream()
            .anyMatch(key -> entries.containsKey(key.text()));
  }

  List<Finding> findings(Subject subject, boolean ignoresTags) {
    return forms.keys(subject, ignoresTags).stream().flatMap(key -> finding(key).stream()).toList();
  }

  private Optional<Finding> finding(KeyForms.Key key) {
    return Optional.ofNullable(entries.get(key.text()))
        .map(kind -> new Finding(NAME, key.form(), key.text(), kind));
  }
}
