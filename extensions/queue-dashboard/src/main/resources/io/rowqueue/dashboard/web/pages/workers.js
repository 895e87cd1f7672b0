/** The processes that run jobs, and what one of them runs now. */

import { html, nothing } from '../vendor/lit-html.js';
import { onSlots, onWorker, restartWorker } from '../parts/actions.js';
import { api } from '../parts/api.js';
import { ago, card, clock, empty, fact, heading, names, section, typeLink, visible } from '../parts/blocks.js';
import { copies } from '../parts/copy.js';
import { bytes, duration, number, percent } from '../parts/format.js';
import { icon } from '../parts/icons.js';
import { jobTable } from '../parts/jobtable.js';
import { meter } from '../parts/states.js';
import { workerSlots, workerState, workerTable } from '../parts/workertable.js';
import { text } from '../texts/en.js';

const t = text.worker;

/** @type {import('../app.js').Page} */
export const workers = {
	title: () => text.pages.workers,
	load: ({ signal }) => api.get('workers', signal),
	view: (/** @type {import('../api').Workers} */ { items }, context) => {
		const alive = items.filter(({ state }) => state !== 'dead');
		const [slots, held] = [alive.reduce((sum, { slots }) => sum + slots, 0), alive.reduce((sum, { held }) => sum + held, 0)];
		return html`${heading(text.pages.workers, { actions: html`<a class="more" href="versions">${text.pages.versions}${icon('next')}</a>`, note: items.length ? `${number(alive.length)} ${text.worker.states.alive} · ${number(held)} ${text.overview.ofSlots(slots)}` : '' })}
			${items.length ? card(workerTable(items, context)) : empty('workers', text.empty.workers, text.empty.workersHint)}`;
	},
};

/** Of the latest minute in which it did something. @param {import('../api').WorkerRates} rates */
const cpu = ({ cpu, seenAt }) => (cpu === null ? '–' : html`${percent(cpu, 1)} <span class="note">${ago(seenAt)}</span>${meter(cpu, 1, t.cpu, cpu > 0.9 ? 'retrying' : 'running')}`);

/** @param {import('../api').WorkerRates} rates */
const heap = ({ heapUsed, heapMax }) => (heapUsed === null ? '–' : html`${bytes(heapUsed)}${heapMax === null ? nothing : html` <span class="note">/ ${bytes(heapMax)}</span>${meter(heapUsed, heapMax, t.heap, heapUsed > 0.9 * heapMax ? 'retrying' : 'running')}`}`);

/** @type {import('../app.js').Page} */
export const worker = {
	title: ({ params }, data) => visible(data?.worker.name ?? params.id),
	load: ({ params, signal }) => api.get(`workers/${encodeURIComponent(params.id)}`, signal),
	view: (/** @type {import('../api').WorkerDetail} */ data, context) => {
		const { worker, running } = data;
		return html`${heading(visible(worker.name), { above: html`<a href="workers">${text.pages.workers}</a>`, note: workerState(worker), actions: html`${worker.state === 'dead' || !context.may('operate') ? nothing : html`<button type="button" @click=${() => onWorker(context, worker.id, worker.state === 'quiet' ? 'resume' : 'quiet')}>${worker.state === 'quiet' ? text.worker.resume : text.worker.quiet}</button>
			<button type="button" @click=${() => restartWorker(context, worker.id, visible(worker.name))}>${text.worker.restart}</button>`}${copies({ id: String(worker.id), api: `workers/${worker.id}`, data })}` })}
			${card(html`<dl class="facts">
				${fact(text.columns.slots, html`${number(worker.held)} / ${number(worker.slots)} ${meter(Math.min(worker.held, worker.slots), worker.slots, text.worker.held)}`)}
				${fact(text.columns.heartbeat, html`${t.ago(duration(worker.heartbeatAgeMs))} <span class="note">· ${text.worker.lease(duration(worker.leaseMs))}</span>`)}
					${fact(text.columns.started, html`${clock(worker.startedAt)} <span class="note">${ago(worker.startedAt)}</span>`)}
				${fact(text.columns.version, worker.version ? visible(worker.version) : '–')}
				${worker.rates ? html`${fact(text.columns.rate, html`${number(worker.rates.succeededPerMinute)} <span class="note">· ${t.sinceStart(number(worker.rates.succeeded))}</span>`)}
				${fact(text.errors.failures, number(worker.rates.failed))}${fact(t.cpu, cpu(worker.rates))}${fact(t.heap, heap(worker.rates))}${fact('Java', visible(worker.rates.java))}${fact(t.host, visible(worker.rates.host))}` : nothing}
					${fact(t.slotsOf, workerSlots(worker, worker.state === 'dead' || !context.may('operate') ? null : (queue, slots) => onSlots(context, worker.id, queue, slots)))}
					<div><dt>${text.columns.id}</dt><dd class="id">${worker.id}</dd></div></dl>`)}
			${worker.listening || worker.state === 'dead' ? nothing : html`<p class="sentence warning">${text.worker.notListening}</p>`}
			${section(text.worker.runs, running.length ? jobTable(running, context, { tab: 'running', whole: true }) : html`<p class="quiet-line">${text.empty.running}</p>`)}
			${section(text.columns.types, names(worker.types, typeLink, 200))}`;
	},
};
