/** Requests to the worker. */

/**
 * @typedef {object} JobError
 * @property {'key' | 'refused' | 'memory' | 'unexpected'} kind
 * @property {string} message
 * @property {string} [keyId]
 */

/** A worker of its own: requests are answered in order, and all of them end when it is stopped. */
export class Jobs {
  constructor() {
    /** @type {Worker | null} */
    this.worker = null;
    /** @type {Map<number, {resolve: (result: any) => void, reject: (error: JobError) => void, report: (progress: any) => void}>} */
    this.waiting = new Map();
    this.last = 0;
  }

  /**
   * Runs a job; rejects with a `JobError`.
   * @param {string} job
   * @param {unknown} argument
   * @param {(progress: any) => void} [report]
   * @returns {Promise<any>}
   */
  run(job, argument, report = () => {}) {
    this.worker ??= this.start();
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, report });
      this.worker?.postMessage({ id, job, argument });
    });
  }

  /** Ends the worker and what it is doing. */
  stop() {
    this.worker?.terminate();
    this.worker = null;
    for (const { reject } of this.waiting.values()) {
      reject({ kind: 'refused', message: 'stopped' });
    }
    this.waiting.clear();
  }

  start() {
    const worker = new Worker(programUrl());
    worker.onmessage = ({ data }) => {
      const waiting = this.waiting.get(data.id);
      if (!waiting) {
        return;
      }
      if ('progress' in data) {
        waiting.report(data.progress);
        return;
      }
      this.waiting.delete(data.id);
      if (data.error) {
        waiting.reject(data.error);
      } else {
        waiting.resolve(data.result);
      }
    };
    return worker;
  }
}

/** @type {string | null} */
let url = null;

/**
 * Returns the URL of the program of this page, which is the worker's too. The policy of the page
 * asks for trusted types, so that nothing else can name a program.
 * @returns {string}
 */
function programUrl() {
  if (!url) {
    const program = document.getElementById('program')?.textContent ?? '';
    url = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }));
  }
  const own = url;
  const { trustedTypes } = /** @type {any} */ (window);
  policy ??= trustedTypes?.createPolicy('tamis', {
    createScriptURL: (/** @type {string} */ wanted) => {
      if (wanted !== own) {
        throw new TypeError('not the program of this page');
      }
      return wanted;
    },
  });
  return policy ? policy.createScriptURL(own) : own;
}

/** @type {any} */
let policy = null;
