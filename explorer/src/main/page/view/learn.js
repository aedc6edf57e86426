/** Explain it: a short tour, each step of which is a playground and has a link of its own. */
import { el, fill } from './dom.js';
import { PlayView } from './play.js';
import { t } from './texts.js';

/** @typedef {import('./app.js').Context} Context */

/** The steps: what their playground begins with. */
const STEPS = [
  { name: 'what', play: 'type=classic&m=64&k=3' },
  { name: 'errs', play: 'type=classic&m=64&k=3&o=*16' },
  { name: 'hashes', play: 'type=classic&m=256&k=4&o=*40' },
  { name: 'clearing', play: 'type=classic&m=64&k=3&o=%2Bapple&o=%2Bpear&o=*8' },
  { name: 'counting', play: 'type=counting&m=64&k=3&o=%2Bapple&o=%2Bpear&o=*12' },
  { name: 'blocks', play: 'type=split&m=2048&k=8&o=*24' },
];

/** The panel. */
export class LearnView {
  /** @param {Context} context */
  constructor(context) {
    this.context = context;
    this.step = 0;
    this.play = new PlayView(context, true);
    this.list = el('nav', { 'aria-label': t('learn.steps') });
    this.text = el('div', { class: 'prose', tabIndex: -1 });
    this.extra = el('div', { class: 'buttons' });
    this.back = el(
      'button',
      { type: 'button', onclick: () => this.go(this.step - 1) },
      t('learn.back'),
    );
    this.next = el(
      'button',
      { type: 'button', class: 'primary', onclick: () => this.go(this.step + 1) },
      t('learn.next'),
    );
    this.element = el(
      'div',
      { class: 'learn' },
      this.list,
      this.text,
      this.extra,
      this.play.element,
      el('div', { class: 'buttons' }, this.back, this.next),
    );
  }

  /** @param {URLSearchParams} parameters */
  show(parameters) {
    const asked = STEPS.findIndex(({ name }) => name === parameters.get('step'));
    this.step = Math.max(0, asked);
    this.begin(
      new URLSearchParams(
        parameters.has('o') || parameters.has('m') ? parameters : STEPS[this.step].play,
      ),
    );
  }

  link() {
    const parameters = this.play.link();
    const { name } = STEPS[this.step];
    const begun = new URLSearchParams(STEPS[this.step].play).toString() === parameters.toString();
    return new URLSearchParams(begun ? { step: name } : `step=${name}&${parameters}`);
  }

  redraw() {
    this.play.redraw();
  }

  /** @param {number} step */
  go(step) {
    this.step = Math.min(STEPS.length - 1, Math.max(0, step));
    this.context.go(`#learn?step=${STEPS[this.step].name}`);
    this.text.focus();
  }

  /** @param {URLSearchParams} parameters */
  begin(parameters) {
    const { name } = STEPS[this.step];
    fill(
      this.text,
      el('h3', {}, `${this.step + 1}. ${t(`learn.${name}.head`)}`),
      el('p', {}, t(`learn.${name}.text`)),
      el('p', { class: 'try' }, el('strong', {}, t('learn.try')), ' ', t(`learn.${name}.try`)),
    );
    fill(
      this.list,
      el(
        'ol',
        { class: 'path' },
        STEPS.map((step, i) =>
          el(
            'li',
            {},
            el(
              'a',
              { href: `#learn?step=${step.name}`, 'aria-current': i === this.step ? 'step' : null },
              t(`learn.${step.name}.head`),
            ),
          ),
        ),
      ),
    );
    fill(
      this.extra,
      name === 'hashes'
        ? this.choices('k', [1, 2, 4, 8, 16])
        : name === 'blocks'
          ? this.layouts()
          : null,
    );
    this.back.disabled = this.step === 0;
    this.next.disabled = this.step === STEPS.length - 1;
    this.play.show(parameters);
  }

  /**
   * @param {string} name of the parameter
   * @param {(string | number)[]} values
   */
  choices(name, values) {
    return values.map((value) =>
      el(
        'button',
        {
          type: 'button',
          onclick: () => {
            const parameters = this.play.link();
            parameters.set(name, String(value));
            this.play.show(parameters);
            this.context.changed();
          },
        },
        name === 'type' ? t(`type.${value}`) : `${name} = ${value}`,
      ),
    );
  }

  layouts() {
    return this.choices('type', ['classic', 'line', 'split', 'split-pair']);
  }
}
