/** A column of checks in words, what holds the horizon, the tables. */

import { html, nothing } from '../vendor/lit-html.js';
import { api } from '../parts/api.js';
import { ago, fact, finding, heading, section, visible } from '../parts/blocks.js';
import { copies } from '../parts/copy.js';
import { loadFigures, ranges } from '../parts/figures.js';
import { bytes, count, number } from '../parts/format.js';
import { icon } from '../parts/icons.js';
import { MEASURED_MS } from '../parts/live.js';
import { list, numbers, table } from '../parts/table.js';
import { text } from '../texts/en.js';

const c = text.columns;
const t = text.health;

export const every = MEASURED_MS;

export const title = () => text.pages.health;

/** @param {import('../app.js').Context} context */
export const load = async (context) => {
	const [health, figures] = await Promise.all([api.get('health', context.signal), loadFigures(context)]);
	return { health, figures };
};

/** @type {import('../parts/table.js').Column<import('../api').Health['locks'][0]>[]} */
const lockColumns = [
	{ name: t.session, row: true, cell: ({ pid, who }) => html`${pid} <span class="note">${visible(who ?? '')}</span>` },
	{ name: t.lock, cell: ({ lock }) => visible(lock) },
	{ name: t.waitsFor, cell: ({ blockedBy }) => blockedBy.join(', ') },
	{ name: text.versions.since, kind: 'tight', cell: ({ since }) => ago(since) },
];

/** @type {import('../parts/table.js').Column<import('../api').Health['tables'][0]>[]} */
const tableColumns = [
	{ name: c.table, row: true, cell: ({ name }) => html`<code>${visible(name)}</code>`, by: ({ name }) => name },
	numbers(c.rows, ({ liveRows }) => count(liveRows), ({ liveRows }) => liveRows.value),
	numbers(c.dead, ({ deadRows }) => number(deadRows), ({ deadRows }) => deadRows),
	numbers(c.size, (each) => bytes(each.bytes), (each) => each.bytes),
	{ name: c.vacuum, kind: 'tight', labelled: true, cell: ({ lastVacuumAt }) => ago(lastVacuumAt), by: ({ lastVacuumAt }) => lastVacuumAt },
];

/** Of the largest tables. */
const MOST = 10;

/** @param {{ health: import('../api').Health, figures: import('../api').Figures }} data @param {import('../app.js').Context} context */
export const view = ({ health, figures }, context) => {
	const { status, checks, horizon, tables, locks, measurement, schema } = health;
	const full = tables.filter(({ liveRows, deadRows }) => liveRows.value || deadRows);
	const held = checks.some(({ id, level }) => id === 'horizon' && level !== 'ok');
	return html`${heading(text.pages.health, { actions: copies({ api: 'health', data: health }) })}
		<p class="sentence ${status}">${t.statuses[status]}.</p>
		${section(t.checks, html`<ul class="findings">${checks.map(finding)}</ul>`)}
		<div class="split">${section(t.horizon, horizon ? html`<p class="quiet-line">${t.horizonDetail(number(horizon.transactions))}</p>
			<ul class="findings">${horizon.holders.map((holder) => html`<li class="finding ${held ? 'warning' : 'info'}"><div>${icon(held ? 'warning' : 'info')}<span class="title">${visible(holder.what)}</span> <span class="note">${visible(holder.who ?? '')} ${holder.since ? ago(holder.since) : nothing}</span></div></li>`)}</ul>` : html`<p class="quiet-line">${text.empty.holders}</p>`)}
		${section(t.locks, locks.length ? table(lockColumns, locks) : html`<p class="quiet-line">${t.noLocks}</p>`)}</div>
		${figures.times.length ? section(t.deadRows, html`<q-chart kind="line" label=${t.deadRows} .times=${figures.times.map(Date.parse)} .marks=${figures.marks} .series=${[
			{ name: c.dead.toLowerCase(), tone: 'failed', values: figures.series['dead.rows'] ?? [] }, { name: t.horizonAge, tone: 'scheduled', values: figures.series['horizon.age'] ?? [] }]}></q-chart>`, { side: ranges(context, 'health') }) : nothing}
		${section(t.tables, list(context, tableColumns, full, { name: ({ name }) => name, kind: 'fold', first: MOST }), { note: t.emptyTables(tables.length - full.length) })}
		${section(t.about, html`<dl class="facts">
			${fact(t.measurement, html`${measurement.at ? html`<q-time at=${measurement.at} mode="ago" stale=${measurement.staleAfterMs}></q-time>` : text.page.never}`)}
			${fact(t.schema, schema.installed)}${fact(c.version, context.session.version)}</dl>`)}`;
};
