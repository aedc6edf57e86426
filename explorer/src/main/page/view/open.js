/** Open it: what a `.tamis` file holds, which keys are in it, and what two of them share. */
import { BadKey, bytesOfKey, KEY_FORMS } from '../core/keys.js';
import { drawShares } from './bits.js';
import { colour } from './chart.js';
import { el, field, fill, table } from './dom.js';
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
    this.input = el('input', {
      type: 'file',
      id: `open-${name}`,
      onchange: () => this.take(this.input.files?.[0]),
    });
    this.status = el('div', { class: 'message', role: 'status' });
    this.facts = el('div', {});
    this.secret = el('input', {
      type: 'password',
      autocomplete: 'off',
      id: `secret-${name}`,
      spellcheck: false,
    });
    this.keyForm = el(
      'form',
      { class: 'stack', hidden: true, onsubmit: (/** @type {Event} */ e) => this.useKey(e) },
      field(t('open.secret'), this.secret, t('open.secret.hint')),
      el('div', { class: 'buttons' }, el('button', { type: 'submit' }, t('open.secret.use'))),
    );
    this.element = el(
      'section',
      { class: 'drop' },
      el('h3', {}, t(`open.${name}`)),
      el(
        'div',
        { class: 'field' },
        el('label', { for: this.input.id }, t('open.pick')),
        this.input,
      ),
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
      const asked = this.secret.value !== '';
      this.status.textContent = t(asked ? 'open.wrongKey' : 'open.needsKey', {
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

  /** @param {Event} event */
  useKey(event) {
    event.preventDefault();
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
    fill(
      this.facts,
      table(
        t('open.facts', { file: this.title }),
        [t('open.fact'), t('open.value')],
        content.facts,
        2,
      ),
      el(
        'figure',
        {},
        el('figcaption', {}, t('open.density', { n: content.density.length })),
        this.canvas,
      ),
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
    drawShares(
      context,
      content.density,
      columns,
      size,
      colour('--cell-set'),
      colour('--cell-line'),
    );
  }
}

/** The panel. */
export class OpenView {
  /** @param {Context} context */
  constructor(context) {
    this.context = context;
    this.first = new Slot(this, 'first');
    this.second = new Slot(this, 'second');
    this.keys = el('textarea', {
      rows: 4,
      id: 'open-keys',
      spellcheck: false,
      autocomplete: 'off',
    });
    this.form = el('select', { id: 'open-form' });
    this.form.append(...KEY_FORMS.map((name) => el('option', { value: name }, t(`form.${name}`))));
    this.answers = el('div', { class: 'answers', 'aria-live': 'polite' });
    this.overlap = el('div', { 'aria-live': 'polite' });
    this.querying = el(
      'form',
      { class: 'stack', hidden: true, onsubmit: (/** @type {Event} */ e) => this.query(e) },
      el('h3', {}, t('open.query')),
      field(t('open.keys'), this.keys, t('open.keys.hint')),
      field(t('open.form'), this.form),
      el(
        'div',
        { class: 'buttons' },
        el('button', { type: 'submit', class: 'primary' }, t('open.ask')),
      ),
    );
    this.element = el(
      'div',
      { class: 'open' },
      el('p', {}, t('open.what')),
      el('div', { class: 'columns' }, this.first.element, this.second.element),
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
   * Opens the file that `tamis explore FILTER` serves beside the page.
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
    fill(
      this.overlap,
      el('h3', {}, t('open.overlap')),
      problem
        ? el('p', { class: 'refused' }, t('open.incomparable', { why: problem }))
        : table(
            t('open.overlap.table', { first: this.first.title, second: this.second.title }),
            [t('open.fact'), t('open.value')],
            facts.map((/** @type {[string, string]} */ [name, text]) => [
              t(`open.overlap.${name}`),
              text,
            ]),
            2,
          ),
    );
  }

  /** @param {Event} event */
  async query(event) {
    event.preventDefault();
    const lines = this.keys.value.split('\n').slice(0, MOST_KEYS);
    if (lines.length > 1 && lines[lines.length - 1] === '') {
      lines.pop();
    }
    try {
      const form = /** @type {import('../core/keys.js').KeyForm} */ (this.form.value);
      const keys = lines.map((line) => bytesOfKey(line, form));
      const results = await this.context.jobs.run('query', { slot: 'first', keys });
      fill(
        this.answers,
        table(
          t('open.answers'),
          [t('open.key'), t('open.answer'), t('open.hash')],
          results.map(
            (
              /** @type {{hash: string, present: boolean}} */ { hash, present },
              /** @type {number} */ i,
            ) => [
              el('span', { class: 'keys' }, lines[i] === '' ? t('play.empty') : lines[i]),
              present ? `✓ ${t('open.present')}` : `✗ ${t('open.absent')}`,
              el('code', {}, hash),
            ],
          ),
          3,
        ),
      );
    } catch (e) {
      fill(
        this.answers,
        el(
          'p',
          { class: 'refused' },
          e instanceof BadKey
            ? t(`form.${e.form}.bad`, { text: e.text })
            : /** @type {JobError} */ (e).message,
        ),
      );
    }
  }
}
