/** What the page shows, in the fragment of its URL: `#play?type=classic&m=256`. */

/** The tabs in their order. */
export const TABS = ['learn', 'play', 'size', 'measure', 'open'];

/**
 * Returns the tab and the parameters of a fragment.
 * @param {string} fragment
 */
export function parseLink(fragment) {
  const [tab, query = ''] = splitOnce(fragment.replace(/^#/, ''), '?');
  return { tab: TABS.includes(tab) ? tab : 'learn', parameters: new URLSearchParams(query) };
}

/**
 * @param {string} text
 * @param {string} separator
 */
function splitOnce(text, separator) {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/**
 * Returns the fragment for a tab and its parameters.
 * @param {string} tab
 * @param {URLSearchParams} parameters
 */
export function toFragment(tab, parameters) {
  const query = parameters.toString();
  return query ? `#${tab}?${query}` : `#${tab}`;
}
