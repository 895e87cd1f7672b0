/** When the waiting jobs of a queue will have started, and what would change that. */

import { html, nothing } from '../vendor/lit-html.js';
import { api } from './api.js';
import { section } from './blocks.js';
import { compact, count, duration } from './format.js';
import { encodeName } from './names.js';
import { text } from '../texts/en.js';

const t = text.forecast;
const MINUTE = 60_000;

/** @param {import('../app.js').Context} context @param {string} name @returns {Promise<import('../api').QueueForecast>} */
export const loadForecast = ({ local, signal }, name) => api.get(`queues/${encodeName(name)}/forecast?${new URLSearchParams(local.whatIf ?? {})}`, signal);

/** @param {import('../api').Forecast} forecast */
const sentence = ({ kind, minutes, earliest, latest, arrivalsPerMinute, capacityPerMinute, neededSlots }) => ({
	idle: t.idle,
	stopped: t.stopped,
	steady: t.steady,
	drains: t.drains(duration((minutes ?? 0) * MINUTE), earliest !== latest && earliest != null ? `${duration(earliest * MINUTE)} – ${latest == null ? t.never : duration(latest * MINUTE)}` : ''),
	grows: t.grows(compact(Math.round(arrivalsPerMinute - capacityPerMinute)), neededSlots),
}[kind]);

/** @param {import('../api').QueueForecast} data @param {import('../app.js').Context} context */
export const forecastSection = ({ at, forecast, assumedSlots, paused, levels }, { local, set, refresh }) => {
	const assumed = local.whatIf ?? {};
	const assume = (/** @type {object} */ change) => { set({ whatIf: { ...assumed, ...change } }); refresh(); };
	const field = (/** @type {string} */ name, /** @type {string} */ label, /** @type {number} */ value, /** @type {number} */ max) => html`<label>${label}
		<input type="number" min="0" max=${max} .value=${String(value)} @change=${(/** @type {any} */ event) => assume({ [name]: Math.max(0, Math.min(max, Math.round(Number(event.target.value) || 0))) })}></label>`;
	const begin = Date.parse(at);
	const { backlog, backlogStepMinutes, capacityPerMinute, arrivalsPerMinute } = forecast;
	return section(t.title, html`<p class="sentence ${forecast.kind === 'grows' || forecast.kind === 'stopped' ? 'warning' : 'info'}">${sentence(forecast)}
			<span class="then">${t.basis(compact(arrivalsPerMinute), compact(capacityPerMinute))}</span></p>
		<div class="tool-row what-if"><span>${t.whatIf}</span>${field('slots', text.columns.slots, assumedSlots, 100_000)}${field('arrivals', t.arrivals, assumed.arrivals ?? 100, 10_000)}
			${paused || assumed.resume ? html`<label><input type="checkbox" .checked=${Boolean(assumed.resume)} @change=${(/** @type {any} */ event) => assume({ resume: event.target.checked })}>${t.resumed}</label>` : nothing}
			${local.whatIf ? html`<button type="button" class="small" @click=${() => { set({ whatIf: undefined }); refresh(); }}>${t.reset}</button>` : nothing}</div>
		${forecast.kind === 'idle' ? nothing : html`<q-chart kind="area" label=${t.backlog} .times=${backlog.map((_, i) => begin + i * backlogStepMinutes * MINUTE)} .series=${[{ name: text.columns.waiting.toLowerCase(), tone: 'queued', values: backlog }]}></q-chart>`}
		${levels.length ? html`<table class="rows levels"><thead><tr><th scope="col" class="number">${text.columns.priority}</th><th scope="col" class="number">${text.columns.waiting}</th><th scope="col">${t.started}</th></tr></thead>
		<tbody>${levels.map(({ priority, waiting, minutes }) => html`<tr><th scope="row" class="number">${priority}</th><td class="number">${count(waiting)}</td>
			<td>${minutes === null ? t.never : minutes < 2 ? t.soon : t.about(duration(minutes * MINUTE))}</td></tr>`)}</tbody></table>` : nothing}`, { note: t.note });
};
