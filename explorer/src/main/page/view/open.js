/** Open it: what a `.tamis` file holds, which keys are in it, and what two of them share. */
import { BadKey, bytesOfKey, KEY_FORMS } from '../core/keys.js';
import { drawShares } from './bits.js';
import { colour } from './chart.js';
import { div, el, field, fill, form, select, submit, table, textInput } from './dom.js';
import { t } from './texts.js';

/** @typedef {import('./app.js').Context} Context */
/** @typedef {import('./jobs.js').JobError} JobError */

/** The most keys of one query. */
const MOST_KEYS = 10_000;

/** One of the two places for a file. */
class Slot {
  /**
   * @param {OpenView} view
   * @param {string} name
   */
  constructor(view, name) {
    this.view = view;
    this.name = name;
    const onchange = () => this.take(this.input.files?.[0]);
    this.input = el('input', { type: 'file', id: `open-${name}`, onchange });
    this.status = el('div', { class: 'message', role: 'status' });
    this.facts = el('div', {});
    this.secret = textInput({ type: 'password', id: `secret-${name}` });
    this.keyForm = form(
      'stack',
      () => this.useKey(),
      field(t('open.secret'), this.secret, t('open.secret.hint')),
      div('buttons', submit(t('open.secret.use'))),
    );
    this.keyForm.hidden = true;
    this.element = el(
      'section',
      { class: 'drop' },
      el('h3', {}, t(`open.${name}`)),
      div('field', el('label', { for: this.input.id }, t('open.pick')), this.input),
      this.status,
      this.keyForm,
      this.facts,
    );
    this.element.addEventListener('dragover', (event) => {
      event.preventDefault();
      this.element.classList.add('over');
    });
    this.element.addEventListener('dragleave', () => this.element.classList.remove('over'));
    this.element.addEventListener('drop', (event) => {
      event.preventDefault();
      this.element.classList.remove('over');
      this.take(event.dataTransfer?.files[0]);
    });
    this.title = '';
    /** @type {{facts: [string, string][], density: Float32Array} | null} */
    this.content = null;
  }

  /** @param {File | undefined} file */
  take(file) {
    if (file) {
      this.secret.value = '';
      this.read(file, file.name);
    }
  }

  /**
   * @param {Blob | null} blob null for the one that was read before
   * @param {string} title
   */
  async read(blob, title) {
    this.title = title;
    this.content = null;
    this.keyForm.hidden = true;
    fill(this.facts);
    this.status.classList.remove('refused');
    const argument = {
      slot: this.name,
      blob,
      secret: this.secret.value,
      now: BigInt(Date.now()) * 1_000_000n,
    };
    this.status.textContent = t('open.reading', { file: title, percent: 0 });
    try {
      this.content = await this.view.context.jobs.run('open', argument, (share) => {
        this.status.textContent = t('open.reading', {
          file: title,
          percent: Math.round(100 * share),
        });
      });
      this.status.textContent = t('open.read', { file: title });
      this.draw();
    } catch (e) {
      this.refuse(/** @type {JobError} */ (e));
    }
    this.view.update();
  }

  /** @param {JobError} error */
  refuse({ kind, message, keyId }) {
    if (kind === 'key') {
      this.keyForm.hidden = false;
      const given = this.secret.value !== '';
      this.status.textContent = t(given ? 'open.wrongKey' : 'open.needsKey', {
        file: this.title,
        id: keyId ?? '',
      });
      this.secret.value = '';
      return;
    }
    this.status.classList.add('refused');
    const shown = kind === 'memory' ? t('open.memory') : message;
    this.status.textContent = `${this.title}: ${shown}`;
  }

  useKey() {
    const used = this.read(null, this.title);
    used.finally(() => {
      this.secret.value = ''; // the key is needed once, and kept nowhere
    });
  }

  draw() {
    const { content } = this;
    if (!content) {
      return;
    }
    this.canvas = el('canvas', { class: 'density', 'aria-hidden': 'true' });
    const caption = el('figcaption', {}, t('open.density', { n: content.density.length }));
    fill(
      this.facts,
      factTable(t('open.facts', { file: this.title }), content.facts),
      el('figure', {}, caption, this.canvas),
    );
    this.drawDensity();
  }

  drawDensity() {
    const { canvas, content } = this;
    const context = canvas?.getContext('2d');
    if (!canvas || !content || !context) {
      return;
    }
    const columns = Math.min(64, content.density.length);
    const size = 6;
    canvas.width = columns * size;
    canvas.height = Math.ceil(content.density.length / columns) * size;
    const [set, line] = ['--cell-set', '--cell-line'].map(colour);
    drawShares(context, content.density, columns, size, set, line);
  }
}

/** The panel. */
export class OpenView {
  /** @param {Context} context */
  constructor(context) {
    this.context = context;
    this.first = new Slot(this, 'first');
    this.second = new Slot(this, 'second');
    const plain = { spellcheck: false, autocomplete: 'off' };
    this.keys = el('textarea', { rows: 4, id: 'open-keys', ...plain });
    this.form = select(
      KEY_FORMS.map((name) => [name, t(`form.${name}`)]),
      { id: 'open-form' },
    );
    this.answers = el('div', { class: 'answers', 'aria-live': 'polite' });
    this.overlap = el('div', { 'aria-live': 'polite' });
    this.querying = form(
      'stack',
      () => this.query(),
      el('h3', {}, t('open.query')),
      field(t('open.keys'), this.keys, t('open.keys.hint')),
      field(t('open.form'), this.form),
      div('buttons', submit(t('open.ask'))),
    );
    this.querying.hidden = true;
    this.element = div(
      'open',
      el('p', {}, t('open.what')),
      div('columns', this.first.element, this.second.element),
      this.querying,
      this.answers,
      this.overlap,
    );
    /** @type {string | null} */
    this.served = null;
  }

  /** @param {URLSearchParams} parameters */
  show(parameters) {
    const served = parameters.get('served');
    if (served !== null && served !== this.served) {
      this.served = served;
      this.fetchServed(served);
    }
  }

  /**
   * Opens the file that `tamis explore FILTER` serves with the page.
   * @param {string} name
   */
  async fetchServed(name) {
    this.first.status.textContent = t('open.reading', { file: name, percent: 0 });
    try {
      const response = await fetch('filter', { cache: 'no-store', redirect: 'error' });
      if (!response.ok) {
        throw new Error(String(response.status));
      }
      await this.first.read(await response.blob(), name);
    } catch (e) {
      this.first.status.textContent = t('open.notServed', { file: name, why: String(e) });
    }
  }

  link() {
    return new URLSearchParams(this.served === null ? {} : { served: this.served });
  }

  redraw() {
    this.first.drawDensity();
    this.second.drawDensity();
  }

  update() {
    this.querying.hidden = !this.first.content;
    fill(this.answers);
    fill(this.overlap);
    if (this.first.content && this.second.content) {
      this.compare();
    }
  }

  async compare() {
    const { problem, facts } = await this.context.jobs.run('compare', {
      first: 'first',
      second: 'second',
    });
    const titles = { first: this.first.title, second: this.second.title };
    fill(
      this.overlap,
      el('h3', {}, t('open.overlap')),
      problem
        ? refusal(t('open.incomparable', { why: problem }))
        : factTable(t('open.overlap.table', titles), facts.map(named)),
    );
  }

  async query() {
    const lines = this.keys.value.split('\n').slice(0, MOST_KEYS);
    if (lines.length > 1 && lines[lines.length - 1] === '') {
      lines.pop();
    }
    try {
      const form = /** @type {import('../core/keys.js').KeyForm} */ (this.form.value);
      const keys = lines.map((line) => bytesOfKey(line, form));
      /** @type {{hash: string, present: boolean}[]} */
      const results = await this.context.jobs.run('query', { slot: 'first', keys });
      const rows = results.map(({ hash, present }, i) => [
        el('span', { class: 'keys' }, lines[i] === '' ? t('play.empty') : lines[i]),
        present ? `✓ ${t('open.present')}` : `✗ ${t('open.absent')}`,
        el('code', {}, hash),
      ]);
      const head = [t('open.key'), t('open.answer'), t('open.hash')];
      fill(this.answers, table(t('open.answers'), head, rows, 3));
    } catch (e) {
      const { message } = /** @type {JobError} */ (e);
      fill(
        this.answers,
        refusal(e instanceof BadKey ? t(`form.${e.form}.bad`, { text: e.text }) : message),
      );
    }
  }
}

/** @param {string} text */
function refusal(text) {
  return el('p', { class: 'refused' }, text);
}

/**
 * @param {string} caption
 * @param {[string, string][]} facts
 */
function factTable(caption, facts) {
  return table(caption, [t('open.fact'), t('open.value')], facts, 2);
}

/** @param {[string, string]} fact @returns {[string, string]} */
function named([name, text]) {
  return [t(`open.overlap.${name}`), text];
}
