/** One operation: who, what and why, and how far a change of many jobs has come. */

import { html, nothing } from '../vendor/lit-html.js';
import { stopOperation } from '../parts/jobactions.js';
import { api } from '../parts/api.js';
import { ago, card, clock, fact, heading, visible } from '../parts/blocks.js';
import { now } from '../parts/clock.js';
import { number, percent } from '../parts/format.js';
import { meter } from '../parts/states.js';
import { outcome, target } from './activity.js';
import { text } from '../texts/en.js';

const t = text.operation;
const SILENT_MS = 30_000;

/** @param {string} action */
const what = (action) => t.change[/** @type {keyof typeof t.change} */ (action)] ?? visible(action);

/** @param {import('../api').Operation} operation */
const phase = ({ state, bulk }) => {
	if (!bulk || state !== 'running') {
		return nothing;
	}
	const silent = bulk.touchedAt !== null && now() - Date.parse(bulk.touchedAt) > SILENT_MS;
	return html`<p class="sentence">${!bulk.touchedAt ? t.waits : silent ? t.silent : bulk.selectedAt ? t.changing : t.selecting}</p>`;
};

/** The words of the filter, which lead to the jobs unless some of them may not be seen. @param {string} filter */
const filterLink = (filter) => {
	const words = [...new URLSearchParams(filter)].map(([name, value]) => `${name}:${value}`).join(' ');
	const shown = html`<code>${visible(words || t.active)}</code>`;
	return filter.includes('******') ? shown : html`<a href="jobs${filter ? `?${filter}` : ''}">${shown}</a>`;
};

/** @type {import('../app.js').Page} */
export const operation = {
	title: ({ params }) => t.title(Number(params.id)),
	load: ({ params, signal }) => api.get(`operations/${encodeURIComponent(params.id)}`, signal),
	view: (/** @type {import('../api').OperationDetail} */ { operation }, context) => {
		const { id, action, bulk, state, selected, done, skipped } = operation;
		const whole = selected ?? 0;
		return html`${heading(bulk ? what(action) : `${visible(action)}`, { above: html`<a href="activity">${text.pages.activity}</a>`, note: outcome(operation),
			actions: bulk && state === 'running' && context.may('operate') ? html`<button type="button" class="danger" @click=${() => stopOperation(context, id)}>${text.actions.stop}</button>` : nothing })}
			${phase(operation)}
			${card(html`<dl class="facts">
				${bulk ? html`${fact(text.columns.progress, html`${meter(done + skipped, whole, `${number(done + skipped)} / ${number(whole)}`)}<span class="note">${percent(done + skipped, whole)}</span>`)}
					${fact(t.selected, html`${number(whole)}${bulk.selectedAt ? nothing : '…'}`)}${fact(t.done, number(done))}
					${fact(t.skipped, html`${number(skipped)}${skipped ? html` <span class="note">${t.skippedNote}</span>` : nothing}`)}
					${fact(t.filter, filterLink(bulk.filter))}${bulk.touchedAt ? fact(t.reported, ago(bulk.touchedAt)) : nothing}` : fact(text.columns.name, target(operation))}
				${fact(text.columns.who, html`${visible(operation.who)} <span class="note">${text.activity.via[operation.via] ?? visible(operation.via)}</span>`)}
				${fact(text.columns.started, clock(operation.at))}
				${operation.endedAt ? fact(text.columns.ended, clock(operation.endedAt)) : nothing}
				${operation.reason ? fact(text.columns.why, visible(operation.reason)) : nothing}
			</dl>`)}`;
	},
};
