/** Limits with what they hold, and windows with when they open. */

import { html, nothing } from '../vendor/lit-html.js';
import { onHold, onLimit, onWeight, release, removeWindow } from '../parts/actions.js';
import { api } from '../parts/api.js';
import { ago, card, clock, empty, heading, mayBeHidden, names, queueLink, section, typeLink, visible } from '../parts/blocks.js';
import { duration, number } from '../parts/format.js';
import { icon } from '../parts/icons.js';
import { meter } from '../parts/states.js';
import { buttons, list, numbers } from '../parts/table.js';
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

/** @param {import('../app.js').Context} context @returns {import('../parts/table.js').Column<import('../api').LimitInfo>[]} */
const columns = (context) => [
	{ name: c.name, row: true, cell: nameOf, by: ({ name }) => name },
	{ name: c.kind, kind: 'note', cell: ({ kind }) => t.kinds[kind], by: ({ kind }) => kind },
	{ name: c.limit, cell: words },
	{ name: c.held, kind: 'barred', cell: ({ held, limit: { concurrency } }) => (held !== null && concurrency ? meter(held, concurrency, `${number(held)} / ${number(concurrency)}`, held >= concurrency ? 'retrying' : 'running') : nothing),
		by: ({ held, limit: { concurrency } }) => (held !== null && concurrency ? held / concurrency : null) },
	numbers(c.held, ({ held, limit }) => (held === null ? nothing : html`${number(held)} <span class="note">/ ${number(limit.concurrency)}</span>`), undefined, { unseen: true, labelled: false }),
	numbers(c.tokens, ({ tokens, limit }) => (tokens === null ? nothing : html`${number(tokens)}<span class="note"> / ${number(limit.rate?.burst)}</span>`), ({ tokens }) => tokens),
	{ name: c.changed, kind: 'tight note', cell: ({ setManually, changedAt }) => html`${setManually ? html`<b>${t.setManually}</b>` : t.configured} ${ago(changedAt)}`, by: ({ changedAt }) => changedAt },
	buttons((limit) => (context.may('admin') && !limit.name.endsWith('******') ? limitButtons(limit, onLimit(context, limit.kind, limit.name, limit.limit.text)) : nothing)),
];

/** @param {import('../api').LimitInfo} limit @param {ReturnType<typeof onLimit>} actions */
const limitButtons = ({ name }, { set, remove }) => html`<button type="button" class="small quiet" aria-label="${text.actions.limit} ${name}" @click=${set}>${text.actions.limit}</button>
	<button type="button" class="small quiet verb" aria-label="${text.actions.remove} ${name}" title=${text.actions.unlimit} @click=${remove}>${icon('close')}<span>${text.actions.remove}</span></button>`;

/** A masked key cannot be named. @param {import('../api').Text} name */
const known = (name) => ('text' in name && !name.text.endsWith('******') && !name.truncated ? name.text : null);

/** @param {import('../app.js').Context} context @returns {import('../parts/table.js').Column<import('../api').HoldInfo>[]} */
const holds = (context) => [
	{ name: c.name, row: true, cell: ({ kind, name }) => mayBeHidden(name, (shown) => nameOf(/** @type {any} */ ({ kind, name: shown }))) },
	{ name: c.kind, kind: 'note', cell: ({ kind }) => t.kinds[kind], by: ({ kind }) => kind },
	{ name: t.heldUntil, kind: 'tight', labelled: true, cell: ({ until }) => clock(until), by: ({ until }) => until },
	{ name: t.reason, kind: 'note', cell: ({ reason }) => visible(reason ?? '') },
	buttons((hold) => (context.may('operate') ? releaseButton(hold, context) : nothing)),
];

/** @param {import('../api').HoldInfo} hold @param {import('../app.js').Context} context */
const releaseButton = ({ id, kind, name }, context) => {
	const plain = known(name);
	return html`<button type="button" class="small quiet" aria-label="${text.actions.release} ${plain ? visible(plain) : t.kinds[kind]}" @click=${plain ? onHold(context, kind, plain).release : () => release(context, id)}>${text.actions.release}</button>`;
};

/** @typedef {import('../api').Limits['weights'][0]} Weight */

/** @param {import('../app.js').Context} context @returns {import('../parts/table.js').Column<Weight>[]} */
const weights = (context) => [
	{ name: t.fairnessKey, row: true, cell: ({ key }) => mayBeHidden(key, (shown) => html`<code>${visible(shown)}</code>`) },
	numbers(t.weight, ({ weight }) => number(weight), ({ weight }) => weight),
	buttons(({ key, weight }) => {
		const plain = known(key);
		return plain && context.may('admin') ? html`<button type="button" class="small quiet" aria-label="${text.actions.weight} ${visible(plain)}" @click=${() => onWeight(context, plain, weight)}>${text.actions.weight}…</button>` : nothing;
	}),
];

/** @param {{ open: boolean, openFrom: string | null, openUntil: string | null }} window */
export const windowState = ({ open, openFrom, openUntil }) => html`<span class="state ${open ? 'succeeded' : 'paused'}">${icon(open ? 'ok' : 'pause')}<span>${open ? t.open : t.closed}</span></span> <span class="note">· ${open ? html`${t.until} ${clock(openUntil)}` : html`${text.queue.opens} ${ago(openFrom)}`}</span>`;

/** @param {import('../app.js').Context} context @returns {import('../parts/table.js').Column<import('../api').WindowInfo>[]} */
const windowsOf = (context) => [
	{ name: c.window, row: true, cell: ({ name }) => visible(name), by: ({ name }) => name },
	{ name: c.status, kind: 'tight', cell: windowState,
		by: ({ open }) => Number(open) },
	{ name: c.times, cell: ({ times }) => names(times, (time) => html`<code>${visible(time.replace('MON,TUE,WED,THU,FRI,SAT,SUN', t.daily))}</code>`) },
	{ name: text.shell.zone, kind: 'note', cell: ({ zone }) => visible(zone), by: ({ zone }) => zone },
	{ name: `${c.queues}, ${c.types.toLowerCase()}`, cell: ({ queues, types }) => html`${names(queues, queueLink)} ${names(types, typeLink)}` },
	{ name: c.closing, kind: 'note', cell: ({ closing, declared }) => html`${t[closing]}${declared ? nothing : html` · <span class="state warning">${t.undeclared}</span>`}` },
	buttons(({ name }) => (context.may('admin') ? html`<button type="button" class="small quiet verb" aria-label="${text.actions.remove} ${name}" title=${text.actions.remove} @click=${() => removeWindow(context, name)}>${icon('close')}<span>${text.actions.remove}</span></button>` : nothing)),
];

/** @param {{ limits: import('../api').Limits, windows: import('../api').WindowsList }} data @param {import('../app.js').Context} context */
export const view = ({ limits, windows }, context) => {
	/** @template T @param {string} id @param {import('../parts/table.js').Column<T>[]} columns @param {T[]} items @param {(item: T) => string} name @param {string} none */
	const listOr = (id, columns, items, name, none) => (items.length ? list(context, columns, items, { id, name, kind: 'fold' }) : html`<p class="quiet-line">${none}</p>`);
	return html`${heading(text.pages.limits, { actions: html`${context.may('operate') ? html`<button type="button" @click=${onHold(context, 'type', '').hold}>${text.actions.hold}…</button>` : nothing}
		${context.may('admin') ? html`<button type="button" @click=${onLimit(context, 'type', '').set}>${text.actions.limit}</button><button type="button" @click=${() => onWeight(context)}>${text.actions.weight}…</button>` : nothing}` })}
	${limits.items.length ? card(list(context, columns(context), limits.items, { name: ({ name, kind }) => `${name} ${t.kinds[kind]}`, kind: 'fold' })) : empty('limits', text.empty.limits, text.empty.limitsHint)}
	${section(t.holds, listOr('holds', holds(context), limits.holds, ({ name }) => known(name) ?? '', t.noHolds))}
	${section(t.weights, listOr('weights', weights(context), limits.weights, ({ key }) => known(key) ?? '', t.noWeights))}
	${section(t.windows, listOr('windows', windowsOf(context), windows.items, ({ name }) => name, text.empty.windowsHint))}`;
};
