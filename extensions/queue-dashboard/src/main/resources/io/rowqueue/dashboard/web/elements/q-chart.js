/**
 * `<q-chart kind="line" label="…" .times=${[…]} .series=${[{ name, tone, values }]}>`: a chart as SVG. Its colours are those of the
 * stylesheet, a readout names what the cursor is at, the arrow keys move it, all charts of a page share it, and a table says the same.
 * Kinds: `line`, `bars` (stacked), `spark` (small, without axes).
 */

import { html, nothing, render, svg } from '../vendor/lit-html.js';
import { clock, compact, dayName, duration, minute, NONE } from '../parts/format.js';
import { now } from '../parts/clock.js';
import { area, hatch, line, moments, nearest, stack, ticks } from '../parts/scale.js';
import { text } from '../texts/en.js';

/** @typedef {{ name: string, tone: string, values: import('../parts/scale.js').Values, dash?: string }} Series */

/** About the width of a character of an axis. */
const CHARACTER = 6.2;
const BOTTOM = 20;
const TOP = 8;
const HEIGHT = 176;
const LOW = 96;
const SPARK = { width: 88, height: 22 };

const widths = new ResizeObserver((entries) => entries.forEach(({ target, contentRect }) => {
	/** @type {QChart} */ (target).width = contentRect.width;
}));

class QChart extends HTMLElement {

	/** @type {number[]} */
	#times = [];

	/** @type {Series[]} */
	#series = [];

	/** @type {{ at: string, version: string }[]} */
	#marks = [];

	/** @type {number | null} */
	#cursor = null;

	#unfinished = false;

	/** @type {((time: number) => void) | null} */
	#choose = null;

	#width = 0;

	/** Where the plot begins: the labels of its axis are before it. */
	#left = 44;

	#asTable = false;

	set times(/** @type {number[]} */ times) { this.#times = times; this.draw(); }

	set series(/** @type {Series[]} */ series) { this.#series = series; this.draw(); }

	set marks(/** @type {{ at: string, version: string }[]} */ marks) { this.#marks = marks; this.draw(); }

	/** Whether figures of the last time are still to come. */
	set unfinished(/** @type {boolean} */ unfinished) { this.#unfinished = unfinished; this.draw(); }

	/** What a click on a time does. */
	set choose(/** @type {((time: number) => void) | null} */ choose) { this.#choose = choose; }

	set width(/** @type {number} */ width) {
		if (Math.abs(width - this.#width) >= 1) {
			this.#width = width;
			this.draw();
		}
	}

	get #height() { return this.hasAttribute('low') ? LOW : HEIGHT; }

	get #time() { return this.getAttribute('unit') === 'ms'; }

	connectedCallback() {
		this.kind = this.getAttribute('kind') ?? 'line';
		this.kind === 'spark' || widths.observe(this);
		document.addEventListener('q-cursor', this.#follow);
		this.draw();
	}

	disconnectedCallback() {
		widths.unobserve(this);
		document.removeEventListener('q-cursor', this.#follow);
	}

	#follow = (/** @type {any} */ event) => {
		if (this.kind !== 'spark') {
			this.#cursor = event.detail;
			this.draw();
		}
	};

	#point = (/** @type {number | null} */ time) => document.dispatchEvent(new CustomEvent('q-cursor', { detail: time }));

	#move = (/** @type {PointerEvent} */ event) => {
		const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
		const [from, until] = [this.#times[0], this.#times[this.#times.length - 1]];
		this.#point(from + (until - from) * Math.min(1, Math.max(0, (event.clientX - box.left - this.#left) / (box.width - this.#left))));
	};

	#key = (/** @type {KeyboardEvent} */ event) => {
		const by = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
		if (by) {
			event.preventDefault();
			const last = this.#times.length - 1;
			const current = this.#cursor === null ? last : nearest(this.#times, this.#cursor);
			this.#point(this.#times[Math.max(0, Math.min(last, current + by))]);
		}
		else if (event.key === 'Enter' && this.#cursor !== null) {
			this.#chosen();
		}
		else if (event.key === 'Escape') {
			this.#point(null);
		}
	};

	#chosen = () => this.#cursor !== null && this.#choose?.(this.#times[nearest(this.#times, this.#cursor)]);

	#value(/** @type {number | null | undefined} */ value) {
		return value == null ? NONE : this.#time && value ? duration(value).replace('.0 ', ' ') : compact(Math.round(value * 10) / 10);
	}

	draw() {
		if (this.isConnected && this.kind) {
			render(this.kind === 'spark' ? this.#spark() : this.#chart(), this);
		}
	}

	#spark() {
		const { width, height } = SPARK;
		const values = this.#series[0]?.values ?? [];
		const max = Math.max(1, ...values.map((value) => value ?? 0));
		const xs = values.map((_, i) => 1 + (width - 2) * i / Math.max(1, values.length - 1));
		const ys = values.map((value) => (value == null ? null : height - 1.5 - (height - 4) * value / max));
		const tone = this.#series[0]?.tone ?? 'accent';
		return html`<svg class="spark" viewBox="0 0 ${width} ${height}" width=${width} height=${height} role="img" aria-label=${this.getAttribute('label')}>
			${values.length > 1 ? svg`<path class="area ${tone}" d=${area(xs, values.map(() => height), ys)}/><path class="line ${tone}" d=${line(xs, ys)}/>` : nothing}</svg>`;
	}

	#chart() {
		const times = this.#times;
		const label = this.getAttribute('label') ?? '';
		if (times.length < 2 || !this.#series.some(({ values }) => values.some((value) => value != null))) {
			return html`<p class="no-data">${this.getAttribute('empty') ?? text.chart.noData}</p>`;
		}
		const at = this.#cursor === null ? times.length - 1 : nearest(times, this.#cursor);
		const sentence = `${label}: ${this.#series.map(({ name, values }) => `${name} ${this.#value(values[at])}`).join(', ')}`;
		return html`
			<div class="readout">${this.#series.map(({ name, tone, values }) => html`<span><svg viewBox="0 0 16 8" width="16" height="8" aria-hidden="true"><path
				class="line ${tone}" d="M0 4h16"/></svg>${name} <b>${this.#value(values[at])}</b></span>`)}
				<time>${clock(times[at], now())}</time>
				<button type="button" class="small quiet" aria-pressed=${this.#asTable} @click=${() => { this.#asTable = !this.#asTable; this.draw(); }}>${text.chart.table}</button></div>
			${this.#asTable ? this.#table(label) : html`<div tabindex="0" role="group" aria-label=${sentence} @keydown=${this.#key}
				class=${this.#choose ? 'plot chooses' : 'plot'} @click=${this.#chosen} @pointermove=${this.#move} @pointerleave=${() => this.#point(null)}>${this.#plot(at, sentence)}</div>`}`;
	}

	#plot(/** @type {number} */ at, /** @type {string} */ sentence) {
		const times = this.#times;
		const height = this.#height;
		const width = Math.max(200, this.#width || 600);
		const stacked = this.kind !== 'line';
		const pairs = stacked ? stack(this.#series.map(({ values }) => values)) : null;
		const tops = pairs ? pairs.flat().map((pair) => pair?.[1] ?? 0) : this.#series.flatMap(({ values }) => values.map((value) => value ?? 0));
		const steps = ticks(Math.max(1, ...tops), this.#time).filter((_, i, all) => height > LOW || i % 2 === 0 || i === all.length - 1);
		const max = steps[steps.length - 1];
		const left = this.#left = 12 + CHARACTER * Math.max(...steps.map((step) => this.#value(step).length));
		const [from, until] = [times[0], times[times.length - 1]];
		const x = (/** @type {number} */ time) => left + (width - left - 4) * (time - from) / Math.max(1, until - from);
		const y = (/** @type {number | null | undefined} */ value) => (value == null ? null : TOP + (height - TOP - BOTTOM) * (1 - value / max));
		const xs = times.map(x);
		const base = /** @type {number} */ (y(0));
		const draws = {
			line: (/** @type {Series} */ each) => svg`<path class="line ${each.tone}" d=${line(xs, each.values.map(y))}/>`,
			bars: (/** @type {Series} */ each, /** @type {number} */ i) => {
				const wide = Math.max(1, (width - left) / times.length - 1.5);
				const path = /** @type {any[]} */ (pairs)[i].map((/** @type {any} */ p, /** @type {number} */ k) => (p && p[1] > p[0]
					? `M${(xs[k] - wide * k / times.length).toFixed(1)} ${y(p[0])?.toFixed(1)}V${y(p[1])?.toFixed(1)}h${wide.toFixed(1)}V${y(p[0])?.toFixed(1)}z` : '')).join('');
				return svg`<path class="bars ${each.tone}" d=${path}/>`;
			},
		};
		const label = (/** @type {number} */ time) => (until - from < 300_000 ? clock(time, time) : until - from > 3 * 86_400_000 || minute(time) === '00:00' ? dayName(time).slice(4) : minute(time));
		return html`<svg viewBox="0 0 ${width} ${height}" width=${width} height=${height} role="img" aria-label=${sentence}>
			${steps.map((step) => svg`<path class="grid" d="M${left} ${y(step)}H${width}"/><text x=${left - 8} y=${(y(step) ?? 0) + 4} text-anchor="end">${this.#value(step)}</text>`)}
			${moments(from, until, width - left).map((time) => svg`<text x=${Math.min(width - CHARACTER * label(time).length / 2, Math.max(left + CHARACTER, x(time)))} y=${height - 4} text-anchor="middle">${label(time)}</text>`)}
			${this.#series.map((each, i) => draws[/** @type {keyof typeof draws} */ (this.kind)](each, i))}
			${this.#unfinished ? svg`<path class="unfinished" d=${hatch(xs[xs.length - 2], xs[xs.length - 1], TOP, base)}/>` : nothing}
			${this.#marks.map(({ at: time, version }) => svg`<g class="mark"><path d="M${x(Math.min(until, Date.parse(time)))} ${TOP}V${base}"/><text x=${Math.min(x(Date.parse(time)) + 4, width - CHARACTER * version.length)} y=${TOP + 8}>${version}</text></g>`)}
			${this.#cursor === null ? nothing : svg`<path class="cursor" d="M${xs[at]} ${TOP}V${base}"/>`}</svg>`;
	}

	#table(/** @type {string} */ label) {
		const every = Math.max(1, Math.ceil(this.#times.length / 60));
		const shown = this.#times.map((time, i) => ({ time, i })).filter(({ i }) => (this.#times.length - 1 - i) % every === 0).reverse();
		return html`<div class="scroll" tabindex="0" role="group" aria-label=${label}><table class="rows"><caption class="sr">${label}</caption>
			<thead><tr><th scope="col">${text.chart.time}</th>
				${this.#series.map(({ name }) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead>
			<tbody>${shown.map(({ time, i }) => html`<tr><th scope="row">${clock(time, now())}</th>
				${this.#series.map(({ values }) => html`<td class="number">${this.#value(values[i])}</td>`)}</tr>`)}</tbody></table></div>`;
	}

}

customElements.define('q-chart', QChart);
