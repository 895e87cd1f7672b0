/** Figures over time of all jobs, of a queue or of a type: what ended, how long jobs waited and ran, and which versions started. */

import { html } from '../vendor/lit-html.js';
import { api } from './api.js';
import { section } from './blocks.js';
import { now } from './clock.js';
import { minute } from './format.js';
import { text } from '../texts/en.js';

const t = text.figures;
const RANGES = ['1h', '6h', '24h', '7d', '90d'];

/** Processes write once a minute. */
const KEPT_MS = 15_000;

const WRITTEN_AFTER_MS = 10_000;

const MINUTE = 60_000;

/** Processes add what they have counted a few seconds after each minute. */
const firstAt = () => MINUTE * Math.ceil((now() - WRITTEN_AFTER_MS) / MINUTE) + WRITTEN_AFTER_MS;

const rangeOf = (/** @type {URLSearchParams} */ query) => RANGES.find((each) => each === query.get('range')) ?? RANGES[0];

/** @param {import('../app.js').Context} context @param {{ queue?: string, type?: string }} [of] @returns {Promise<import('../api').Figures>} */
export const loadFigures = ({ query, signal }, of = {}) => api.lately(`figures?${new URLSearchParams({ range: rangeOf(query), ...of })}`, KEPT_MS, signal);

/** @param {import('../app.js').Context} context @param {string} path of the page, with what it asks for */
export const ranges = ({ query }, path) => html`<nav class="ranges" aria-label=${t.range}>${RANGES.map((each) => html`<a href="${path || './'}${path.includes('?') ? '&' : '?'}range=${each}" aria-current=${each === rangeOf(query) ? 'true' : 'false'}>${each}</a>`)}</nav>`;

/** The lines of a chart: the name, the tone, and the name of the series. @typedef {[string, string, string][]} Lines */

/** @type {Lines} */
const ENDED = [[text.states.failed, 'failed', 'failed'], [text.states.retrying, 'retrying', 'retried'], [text.states.cancelled, 'cancelled', 'cancelled'], [text.states.succeeded, 'succeeded', 'succeeded']];

/** @param {import('../api').Figures} figures @param {{ kind: string, unit?: string, label: string, lines: Lines, low?: boolean }} how */
const chart = ({ times, series, marks, unfinished }, { kind, unit = '', label, lines, low = false }) => {
	const empty = series.succeeded?.some((value) => value !== null) ? text.chart.noValues : text.chart.first(minute(firstAt()));
	return html`<q-chart kind=${kind} unit=${unit} label=${label} empty=${empty} ?low=${low} .unfinished=${unfinished} .times=${times.map(Date.parse)} .marks=${marks} .series=${lines
		.filter(([, , name]) => series[name] && (name !== 'cancelled' || series[name].some(Boolean))).map(([name, tone, of]) => ({ name, tone, values: series[of] }))}></q-chart>`;
};

/** How many jobs ended, above a list. @param {import('../api').Figures} figures @param {import('../app.js').Context} context @param {string} path */
export const endedChart = (figures, context, path) => html`<div class="above-chart"><h2>${t.ended}</h2>${ranges(context, path)}</div>${chart(figures, { kind: 'bars', label: t.ended, lines: ENDED, low: true })}`;

/** @param {import('../api').Figures} figures @param {import('../app.js').Context} context @param {string} path of the page */
export const figureCharts = (figures, context, path) => html`<div class="split">
	${section(t.ended, chart(figures, { kind: 'bars', label: t.ended, lines: ENDED }), { side: ranges(context, path) })}
	${figures.series.oldest ? section(t.wait, chart(figures, { kind: 'line', unit: 'ms', label: t.wait, lines: [['p50', 'running', 'wait.p50'], ['p95', 'queued', 'wait.p95'], [text.columns.oldest.toLowerCase(), 'scheduled', 'oldest']] }))
		: section(t.run, chart(figures, { kind: 'line', unit: 'ms', label: t.run, lines: [['p50', 'running', 'run.p50'], ['p95', 'queued', 'run.p95'], [t.waited, 'scheduled', 'wait.p95']] }))}
</div>`;

/** A small chart of what ended in the last half hour. @param {string} name @param {import('../api').Rates | null} rates */
export const spark = (name, rates) => html`<q-chart kind="spark" label="${t.ended}: ${name}" .series=${[{ name, tone: 'succeeded', values: rates?.perMinute ?? [] }]}></q-chart>`;
