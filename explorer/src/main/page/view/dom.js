/** Elements from data. Text is only ever set as text, so that no key and no file name is HTML. */

/** @typedef {Node | string | null | false | undefined} Child */

/**
 * Returns an element. Properties that begin with `on` are listeners; `class`, `for`, `aria-…`,
 * `data-…` and whatever else has a dash are attributes; the rest are properties of the element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) {
      continue;
    }
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else if (name.includes('-') || ['class', 'for', 'role', 'list', 'scope'].includes(name)) {
      element.setAttribute(name, String(value));
    } else {
      Object.assign(element, { [name]: value });
    }
  }
  append(element, children);
  return element;
}

/**
 * Returns a part of a drawing.
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...Child} children
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
  append(element, children);
  return element;
}

/**
 * @param {Element} element
 * @param {(Child | Child[])[]} children
 */
function append(element, children) {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child);
    }
  }
}

/**
 * Replaces what an element contains.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/**
 * @param {string} name of the class
 * @param {...(Child | Child[])} children
 */
export function div(name, ...children) {
  return el('div', { class: name }, ...children);
}

/**
 * @param {string} text
 * @param {() => void} onclick
 */
export function button(text, onclick) {
  return el('button', { type: 'button', onclick }, text);
}

/**
 * Returns the button that submits its form.
 * @param {string} text
 */
export function submit(text) {
  return el('button', { type: 'submit', class: 'primary' }, text);
}

/**
 * Returns a form that the page handles itself.
 * @param {string} name of the class
 * @param {() => void} action on submission
 * @param {...(Child | Child[])} children
 */
export function form(name, action, ...children) {
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    action();
  };
  return el('form', { class: name, onsubmit }, ...children);
}

/** @param {Record<string, any>} [properties] */
export function textInput(properties) {
  return el('input', { type: 'text', autocomplete: 'off', spellcheck: false, ...properties });
}

/**
 * @param {[value: string | number, text: string][]} options
 * @param {Record<string, any>} [properties]
 */
export function select(options, properties) {
  const all = options.map(([value, text]) => el('option', { value: String(value) }, text));
  return el('select', properties, ...all);
}

let ids = 0;

/**
 * Returns an input, select or textarea under its label, with room for a message.
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [hint]
 */
export function field(label, control, hint) {
  control.id ||= `f${++ids}`;
  const message = el('p', { class: 'problem', id: `${control.id}-problem` });
  const below = hint && el('p', { class: 'hint', id: `${control.id}-hint` }, hint);
  control.setAttribute('aria-describedby', below ? `${message.id} ${below.id}` : message.id);
  return div('field', el('label', { for: control.id }, label), control, below, message);
}

/**
 * Shows what is wrong with a field, or nothing.
 * @param {HTMLElement} control
 * @param {string} problem
 */
export function setProblem(control, problem) {
  const message = document.getElementById(`${control.id}-problem`);
  if (message) {
    message.textContent = problem;
  }
  control.setAttribute('aria-invalid', problem ? 'true' : 'false');
}

/**
 * Returns a table.
 * @param {string} caption
 * @param {string[]} head
 * @param {(Child | Child[])[][]} rows whose first cell is a heading
 * @param {number} [textColumns] columns from the left that are text, not numbers
 */
export function table(caption, head, rows, textColumns = 1) {
  const kind = (/** @type {number} */ column) => (column < textColumns ? 'text' : '');
  const heads = head.map((text, i) => el('th', { scope: 'col', class: kind(i) }, text));
  const body = rows.map(([first, ...others]) => {
    const cells = others.map((cell, i) => el('td', { class: kind(i + 1) }, cell));
    return el('tr', {}, el('th', { scope: 'row', class: 'text' }, first), cells);
  });
  return el(
    'div',
    { class: 'scroll', role: 'region', tabIndex: 0, 'aria-label': caption },
    el(
      'table',
      {},
      el('caption', {}, caption),
      el('thead', {}, el('tr', {}, heads)),
      el('tbody', {}, body),
    ),
  );
}

/**
 * Returns a function that runs an action once, some time after its last call.
 * @param {() => void} action
 * @param {number} [milliseconds]
 */
export function debounced(action, milliseconds = 250) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, milliseconds);
  };
}
