/** The page: a header, tabs and one panel for each of them. */
import { xxh3 } from '../core/hashes.js';
import { el, fill, select } from './dom.js';
import { Jobs } from './jobs.js';
import { LearnView } from './learn.js';
import { MeasureView } from './measure.js';
import { OpenView } from './open.js';
import { PlayView } from './play.js';
import { SizeView } from './size.js';
import { currentLanguage, knownLanguage, LANGUAGE_NAMES, setLanguage, t } from './texts.js';

/**
 * @typedef {object} View one panel
 * @property {HTMLElement} element
 * @property {(parameters: URLSearchParams) => void} show what a link says
 * @property {() => URLSearchParams} link to what is shown
 * @property {() => void} redraw in another language or colour scheme
 */

/**
 * @typedef {object} Context what the panels share
 * @property {Jobs} jobs
 * @property {import('../core/hashes.js').KeyHash} hasher
 * @property {() => void} changed to be called when the link has
 * @property {(message: string) => void} announce to screen readers
 * @property {(fragment: string) => void} go to a link
 */

const TABS = ['learn', 'play', 'size', 'measure', 'open'];

const THEMES = ['auto', 'light', 'dark'];

/** Draws the page and follows its URL. */
export async function startPage() {
  setLanguage(knownLanguage(stored('language') ?? navigator.language));
  setTheme(stored('theme') ?? 'auto');
  new Page(await xxh3(0n)).start();
}

class Page {
  /** @param {import('../core/hashes.js').KeyHash} hasher */
  constructor(hasher) {
    this.root = /** @type {HTMLElement} */ (document.getElementById('app'));
    this.live = el('div', { class: 'sr-only', role: 'status', 'aria-live': 'polite' });
    this.tab = 'learn';
    /** @type {Context} */
    this.context = {
      jobs: new Jobs(),
      hasher,
      changed: () => this.writeLink(),
      announce: (message) => {
        this.live.textContent = message;
      },
      go: (fragment) => {
        history.pushState(null, '', fragment);
        this.followLink(true);
      },
    };
    /** @type {Record<string, View>} */
    this.views = {};
    /** @type {HTMLButtonElement[]} */
    this.tabs = [];
    /** @type {HTMLElement[]} */
    this.panels = [];
  }

  start() {
    this.build();
    window.addEventListener('popstate', () => this.followLink(true));
    prefersDark().addEventListener('change', () => {
      setTheme(theme);
      this.redraw();
    });
    // paper is white, whatever the scheme
    matchMedia('print').addEventListener('change', () => this.redraw());
    this.followLink(false);
    document.documentElement.dataset.ready = 'true';
  }

  build() {
    document.documentElement.lang = currentLanguage();
    document.title = t('title');
    this.views = {
      learn: new LearnView(this.context),
      play: new PlayView(this.context),
      size: new SizeView(this.context),
      measure: new MeasureView(this.context),
      open: new OpenView(this.context),
    };
    this.tabs = TABS.map((tab) =>
      el(
        'button',
        {
          type: 'button',
          role: 'tab',
          id: `tab-${tab}`,
          'aria-controls': `panel-${tab}`,
          onclick: () => this.select(tab),
          onkeydown: (/** @type {KeyboardEvent} */ event) => this.moveTab(event, tab),
        },
        t(`tab.${tab}`),
      ),
    );
    this.panels = TABS.map((tab) =>
      el(
        'section',
        { role: 'tabpanel', id: `panel-${tab}`, 'aria-labelledby': `tab-${tab}`, hidden: true },
        el('h2', {}, t(`head.${tab}`)),
        this.views[tab].element,
      ),
    );
    fill(
      this.root,
      el('a', { class: 'skip', href: '#main', onclick: skip }, t('skip')),
      el(
        'header',
        {},
        el('h1', {}, t('title')),
        el('p', { class: 'tagline' }, t('tagline')),
        el('div', { class: 'choices' }, this.languageChoice(), this.themeChoice()),
        el('div', { role: 'tablist', 'aria-label': t('tabs') }, this.tabs),
      ),
      el('main', { id: 'main', tabIndex: -1 }, this.panels),
      el('footer', {}, el('p', {}, t('footer'))),
      this.live,
    );
  }

  /** Builds all in another language; what is shown is what the link says. */
  rebuild() {
    const fragment = this.fragment();
    this.context.jobs.stop();
    this.build();
    this.apply(parseLink(fragment), false);
  }

  redraw() {
    this.views[this.tab].redraw();
  }

  /** @param {string} tab */
  select(tab) {
    this.activate(tab);
    history.pushState(null, '', this.fragment());
  }

  /** @param {string} tab */
  activate(tab) {
    this.tab = tab;
    TABS.forEach((name, i) => {
      const selected = name === tab;
      this.tabs[i].setAttribute('aria-selected', String(selected));
      this.tabs[i].tabIndex = selected ? 0 : -1;
      this.panels[i].hidden = !selected;
    });
    this.views[tab].redraw();
  }

  /**
   * Moves between tabs by the arrow keys, Home and End.
   * @param {KeyboardEvent} event
   * @param {string} tab
   */
  moveTab(event, tab) {
    const at = TABS.indexOf(tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      const next = TABS[(to + TABS.length) % TABS.length];
      this.select(next);
      document.getElementById(`tab-${next}`)?.focus();
    }
  }

  fragment() {
    return toFragment(this.tab, this.views[this.tab].link());
  }

  writeLink() {
    if (this.views[this.tab]) {
      history.replaceState(null, '', this.fragment());
    }
  }

  /** @param {boolean} scroll */
  followLink(scroll) {
    this.apply(parseLink(location.hash), scroll);
  }

  /**
   * @param {{tab: string, parameters: URLSearchParams}} link
   * @param {boolean} scroll
   */
  apply({ tab, parameters }, scroll) {
    this.tab = tab; // which view's link is written from here on
    this.views[tab].show(parameters);
    this.activate(tab);
    if (scroll) {
      window.scrollTo(0, 0);
    }
  }

  languageChoice() {
    const choice = select(Object.entries(LANGUAGE_NAMES), {
      id: 'language',
      'aria-label': t('language'),
      onchange: () => {
        setLanguage(choice.value);
        store('language', choice.value);
        this.rebuild();
        document.getElementById('language')?.focus();
      },
    });
    for (const option of choice.options) {
      option.lang = option.value;
    }
    choice.value = currentLanguage();
    return choice;
  }

  themeChoice() {
    const choice = select(
      THEMES.map((value) => [value, t(`theme.${value}`)]),
      {
        id: 'theme',
        'aria-label': t('theme'),
        onchange: () => {
          setTheme(choice.value);
          store('theme', choice.value);
          this.redraw();
        },
      },
    );
    choice.value = theme;
    return choice;
  }
}

/** @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function prefersDark() {
  return matchMedia('(prefers-color-scheme: dark)');
}

/** What the reader chose. */
let theme = 'auto';

/** @param {string} chosen */
function setTheme(chosen) {
  theme = THEMES.includes(chosen) ? chosen : 'auto';
  const dark = theme === 'auto' ? prefersDark().matches : theme === 'dark';
  document.documentElement.dataset.scheme = dark ? 'dark' : 'light';
}

/**
 * Returns a choice of an earlier visit; none where the browser keeps none.
 * @param {string} name
 */
function stored(name) {
  try {
    return localStorage.getItem(`tamis-${name}`);
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
function store(name, value) {
  try {
    localStorage.setItem(`tamis-${name}`, value);
  } catch {
    // the choice then holds for this visit
  }
}

/**
 * Returns the tab and the parameters of a fragment.
 * @param {string} fragment
 */
function parseLink(fragment) {
  const [, tab, query] = /^#?([^?]*)\??(.*)$/s.exec(fragment) ?? ['', '', ''];
  return { tab: TABS.includes(tab) ? tab : 'learn', parameters: new URLSearchParams(query) };
}

/**
 * Returns the fragment for a tab and its parameters.
 * @param {string} tab
 * @param {URLSearchParams} parameters
 */
function toFragment(tab, parameters) {
  const query = parameters.toString();
  return query ? `#${tab}?${query}` : `#${tab}`;
}
