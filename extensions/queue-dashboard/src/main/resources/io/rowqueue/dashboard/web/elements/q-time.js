/**
 * `<q-time at="2026-11-22T13:58:02Z" mode="ago">`: a time that ticks by the database's clock. With `stale`, in milliseconds, it says
 * by its colour and in words that it is too old.
 */

import { now } from '../parts/clock.js';
import { ago, clock, fullTime } from '../parts/format.js';
import { text } from '../texts/en.js';

/** @type {Set<QTime>} */
const shown = new Set();

class QTime extends HTMLElement {

	static observedAttributes = ['at', 'mode', 'stale'];

	#time = document.createElement('time');

	connectedCallback() {
		this.append(this.#time);
		shown.add(this);
		this.draw();
	}

	disconnectedCallback() {
		shown.delete(this);
	}

	attributeChangedCallback() {
		this.draw();
	}

	draw() {
		const at = this.getAttribute('at');
		if (!at || !this.isConnected) {
			return;
		}
		const stale = Number(this.getAttribute('stale') ?? Infinity);
		const isStale = now() - Date.parse(at) > stale;
		const words = this.getAttribute('mode') === 'ago' ? ago(at, now()) : clock(at, now());
		if (this.#time.textContent !== words) {
			this.#time.textContent = words;
		}
		this.#time.dateTime = at;
		this.#time.title = (isStale ? `${text.page.oldMeasurement}\n` : '') + fullTime(at, now());
		this.classList.toggle('is-stale', isStale);
	}

}

const drawAll = () => shown.forEach((time) => time.draw());

setInterval(() => document.hidden || drawAll(), 1_000);
document.addEventListener('preferences', drawAll);
customElements.define('q-time', QTime);
