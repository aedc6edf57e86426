/** The program of the page and of its worker, which are one text so that the page is one file. */
import { startPage } from './view/app.js';
import { startWorker } from './worker.js';

if (typeof document === 'undefined') {
  startWorker();
} else {
  startPage();
}
