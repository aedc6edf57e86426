/** Learn: a short tour; each step is a playground with a link of its own. */
import { STEPS } from '../play/steps.js';
import { button, div, el, fill } from './dom.js';
import { PlayView } from './play.js';
import { t } from './texts.js';

/** @typedef {import('./app.js').Context} Context */

/** The panel. */
export class LearnView {
  /** @param {Context} context */
  constructor(context) {
    this.context = context;
    this.step = 0;
    this.play = new PlayView(context, true);
    this.list = el('nav', { 'aria-label': t('learn.steps') });
    this.text = el('div', { class: 'prose', tabIndex: -1 });
    this.extra = div('buttons');
    this.back = button(t('learn.back'), () => this.go(this.step - 1));
    this.next = button(t('learn.next'), () => this.go(this.step + 1));
    this.next.className = 'primary';
    const turning = div('buttons', this.back, this.next);
    this.element = div('learn', this.list, this.text, turning, this.extra, this.play.element);
  }

  /** @param {URLSearchParams} parameters */
  show(parameters) {
    const wanted = STEPS.findIndex(({ name }) => name === parameters.get('step'));
    this.step = Math.max(0, wanted);
    const changed = parameters.has('m');
    this.begin(new URLSearchParams(changed ? parameters : STEPS[this.step].play));
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
    const { name, experimental = false } = STEPS[this.step];
    fill(
      this.text,
      el('h3', {}, `${this.step + 1}. ${t(`learn.${name}.head`)}`),
      el('p', {}, t(`learn.${name}.text`)),
      el('p', { class: 'try' }, el('strong', {}, t('learn.try')), ' ', t(`learn.${name}.try`)),
    );
    const steps = STEPS.map((step, i) => {
      const current = i === this.step ? 'step' : null;
      const link = { href: `#learn?step=${step.name}`, 'aria-current': current };
      return el('li', {}, el('a', link, t(`learn.${step.name}.head`)));
    });
    fill(this.list, el('ol', { class: 'path' }, steps));
    fill(this.extra, this.choices(STEPS[this.step].choices));
    this.back.disabled = this.step === 0;
    this.next.disabled = this.step === STEPS.length - 1;
    this.play.experimental = experimental;
    this.play.show(parameters);
  }

  /**
   * Returns buttons that change one parameter of the playground.
   * @param {Record<string, (string | number)[]>} [values] of the parameter
   */
  choices(values = {}) {
    return Object.entries(values).flatMap(([name, all]) =>
      all.map((value) =>
        button(name === 'type' ? t(`type.${value}`) : `${name} = ${value}`, () => {
          const parameters = this.play.link();
          parameters.set(name, String(value));
          this.play.show(parameters);
          this.context.changed();
        }),
      ),
    );
  }
}
