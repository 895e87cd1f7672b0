/** Limits with what they hold, and windows with when they open. */

import { html, nothing } from '../vendor/lit-html.js';
import { onHold, onLimit, onWeight, release, removeWindow } from '../parts/actions.js';
import { api } from '../parts/api.js';
import { ago, clock, empty, heading, mayBeHidden, names, queueLink, section, typeLink, visible } from '../parts/blocks.js';
import { duration, number } from '../parts/format.js';
import { icon } from '../parts/icons.js';
import { meter } from '../parts/states.js';
import { table } from '../parts/table.js';
import { text } from '../texts/en.js';

const c = text.columns;
const t = text.limit;

export const title = () => text.pages.limits;

/** @param {import('../app.js').Context} context */
export const load = async ({ signal }) => {
	const [limits, windows] = await Promise.all([api.get('limits', signal), api.get('windows', signal)]);
	return { limits, windows };
};

/** @param {import('../api').LimitInfo} limit */
const nameOf = ({ kind, name }) => ({ queue: queueLink, type: typeLink, key: (/** @type {string} */ key) => html`<code>${visible(key)}</code>` })[kind](name);

/** @param {import('../api').LimitInfo} limit */
const words = ({ limit: { concurrency, rate, ordered } }) => [
	...(concurrency ? [t.atOnce(concurrency), ...(ordered ? [t.ordered] : [])] : []),
	...(rate ? [`${number(rate.jobs)} ${t.perPeriod} ${duration(rate.periodMs).replace('.0 ', ' ')}`, ...(rate.burst === rate.jobs ? [] : [t.bursts(rate.burst)])] : []),
].join(', ');

/** @param {import('../api').LimitInfo} limit @param {import('../app.js').Context} context */
const row = (limit, context) => {
	const { concurrency, rate, text: written } = limit.limit;
	const actions = onLimit(context, limit.kind, limit.name, written);
	const full = limit.held !== null && concurrency !== null && limit.held >= concurrency;
	return html`<tr><th scope="row">${nameOf(limit)}</th><td class="note">${t.kinds[limit.kind]}</td><td>${words(limit)}</td>
		<td class="barred">${limit.held !== null && concurrency ? html`${meter(limit.held, concurrency, `${number(limit.held)} / ${number(concurrency)}`, full ? 'retrying' : 'running')}` : nothing}</td>
			<td class="number tight">${limit.held === null ? '–' : html`${number(limit.held)} <span class="note">/ ${number(concurrency)}</span>`}</td>
		<td class="number" data-label=${c.tokens}>${limit.tokens === null ? '–' : html`${number(limit.tokens)}<span class="note"> / ${number(rate?.burst)}</span>`}</td>
			<td class="tight note">${limit.setManually ? html`<b>${t.setManually}</b>` : t.configured} ${ago(limit.changedAt)}</td>
		<td class="actions">${context.may('admin') && !limit.name.endsWith('******') ? html`<button type="button" class="small quiet" aria-label="${text.actions.limit} ${limit.name}" @click=${actions.set}>${text.actions.limit}</button>
			<button type="button" class="small quiet" aria-label="${text.actions.unlimit} ${limit.name}" @click=${actions.remove}>${icon('close')}</button>` : nothing}</td></tr>`;
};

/** A masked key cannot be named. @param {import('../api').Text} name */
const known = (name) => ('text' in name && !name.text.endsWith('******') && !name.truncated ? name.text : null);

/** @param {import('../api').HoldInfo} hold @param {import('../app.js').Context} context */
const holdRow = ({ id, kind, name, until, reason }, context) => {
	const plain = known(name);
	return html`<tr><th scope="row">${mayBeHidden(name, (shown) => nameOf(/** @type {any} */ ({ kind, name: shown })))}</th><td class="note">${t.kinds[kind]}</td><td data-label=${t.heldUntil}>${clock(until)}</td><td class="note">${visible(reason ?? '')}</td>
		<td class="actions">${context.may('operate') ? html`<button type="button" class="small quiet" aria-label="${text.actions.release} ${plain ? visible(plain) : t.kinds[kind]}" @click=${plain ? onHold(context, kind, plain).release : () => release(context, id)}>${text.actions.release}</button>` : nothing}</td></tr>`;
};

/** @param {{ key: import('../api').Text, weight: number }} weighted @param {import('../app.js').Context} context */
const weightRow = ({ key, weight }, context) => {
	const plain = known(key);
	return html`<tr><th scope="row">${mayBeHidden(key, (shown) => html`<code>${visible(shown)}</code>`)}</th><td>${number(weight)}</td>
		<td class="actions">${plain && context.may('admin') ? html`<button type="button" class="small quiet" aria-label="${text.actions.weight} ${visible(plain)}" @click=${() => onWeight(context, plain, weight)}>${text.actions.weight}…</button>` : nothing}</td></tr>`;
};

/** @param {import('../parts/table.js').Column[]} columns @param {unknown[]} rows @param {string} none */
const tableOr = (columns, rows, none) => (rows.length ? table([...columns, [c.actions, '', true]], rows) : html`<p class="quiet-line">${none}</p>`);

/** @param {import('../api').WindowInfo} window @param {import('../app.js').Context} context */
const windowRow = (window, context) => html`<tr><th scope="row">${visible(window.name)}</th>
	<td class="tight"><span class="state ${window.open ? 'succeeded' : 'paused'}">${icon(window.open ? 'ok' : 'pause')}<span>${window.open ? t.open : t.closed}</span></span> <span class="note">· ${window.open ? html`${t.until} ${clock(window.openUntil)}` : html`${text.queue.opens} ${ago(window.openFrom)}`}</span></td>
	<td>${names(window.times, (time) => html`<code>${visible(time)}</code>`)}</td><td class="note">${visible(window.zone)}</td>
		<td>${names(window.queues, queueLink)} ${names(window.types, typeLink)}</td><td class="note">${t[window.closing]}</td>
		<td class="note">${window.declared ? nothing : t.undeclared}</td>
	<td class="actions">${context.may('admin') ? html`<button type="button" class="small quiet" aria-label="${text.actions.remove} ${window.name}" title=${text.actions.remove} @click=${() => removeWindow(context, window.name)}>${icon('close')}</button>` : nothing}</td></tr>`;

/** @param {{ limits: import('../api').Limits, windows: import('../api').WindowsList }} data @param {import('../app.js').Context} context */
export const view = ({ limits, windows }, context) => html`${heading(text.pages.limits, { actions: html`${context.may('operate') ? html`<button type="button" @click=${onHold(context, 'type', '').hold}>${text.actions.hold}…</button>` : nothing}
		${context.may('admin') ? html`<button type="button" @click=${() => onWeight(context)}>${text.actions.weight}…</button>` : nothing}` })}
	${limits.items.length ? table([c.name, c.kind, c.limit, [c.held, 'barred'], [c.held, 'number', true], [c.tokens], c.changed, [c.actions, '', true]],
		limits.items.map((limit) => row(limit, context))) : empty(text.empty.limits, text.empty.limitsHint)}
	${section(t.holds, tableOr([c.name, c.kind, t.heldUntil, t.reason], limits.holds.map((hold) => holdRow(hold, context)), t.noHolds))}
	${section(t.weights, tableOr([t.fairnessKey, t.weight], limits.weights.map((weight) => weightRow(weight, context)), t.noWeights))}
	${section(t.windows, tableOr([c.window, c.status, c.times, text.shell.zone, `${c.queues}, ${c.types.toLowerCase()}`, c.closing, [c.status, '', true]],
		windows.items.map((window) => windowRow(window, context)), text.empty.windowsHint))}`;
