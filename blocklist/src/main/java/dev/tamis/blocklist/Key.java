package dev.tamis.blocklist;

/**
 * An entry that would match a question, to be looked for.
 *
 * @param form what such an entry matches
 * @param labels the labels of its name; 0 where that does not matter
 * @param text the entry
 */
record Key(Form form, int labels, String text) {}
