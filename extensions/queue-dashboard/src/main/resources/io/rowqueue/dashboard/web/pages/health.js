/** A column of checks in words, what holds the horizon, the tables. */

import { html, nothing } from '../vendor/lit-html.js';
import { api } from '../parts/api.js';
import { ago, fact, finding, heading, section, visible } from '../parts/blocks.js';
import { copies } from '../parts/copy.js';
import { loadFigures, ranges } from '../parts/figures.js';
import { bytes, count, number } from '../parts/format.js';
import { icon } from '../parts/icons.js';
import { MEASURED_MS } from '../parts/live.js';
import { table } from '../parts/table.js';
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

/** @param {{ health: import('../api').Health, figures: import('../api').Figures }} data @param {import('../app.js').Context} context */
export const view = ({ health, figures }, context) => {
	const { status, checks, horizon, tables, locks, measurement, schema } = health;
	const full = tables.filter(({ liveRows, deadRows }) => liveRows.value || deadRows);
	const held = checks.some(({ id, level }) => id === 'horizon' && level !== 'ok');
	return html`${heading(text.pages.health, { actions: copies({ api: 'health', data: health }) })}
		<p class="sentence ${status}">${t.statuses[status]}.</p>
		${section(t.checks, html`<ul>${checks.map(finding)}</ul>`)}
		${section(t.horizon, horizon ? html`<p>${t.horizonDetail(number(horizon.transactions))}</p>
			<ul>${horizon.holders.map((holder) => html`<li class="finding ${held ? 'warning' : 'info'}">${icon(held ? 'warning' : 'info')}<div><p class="title">${visible(holder.what)} <span class="note">${visible(holder.who ?? '')} ${holder.since ? ago(holder.since) : nothing}</span></p></div></li>`)}</ul>` : html`<p class="quiet-line">${text.empty.holders}</p>`)}
		${figures.times.length ? section(t.deadRows, html`<q-chart kind="line" label=${t.deadRows} .times=${figures.times.map(Date.parse)} .marks=${figures.marks} .series=${[
			{ name: c.dead.toLowerCase(), tone: 'failed', values: figures.series['dead.rows'] ?? [] }, { name: t.horizonAge, tone: 'scheduled', values: figures.series['horizon.age'] ?? [] }]}></q-chart>`, { side: ranges(context, 'health') }) : nothing}
		${section(t.locks, locks.length ? table([t.session, t.lock, t.waitsFor, text.versions.since],
			locks.map((wait) => html`<tr><th scope="row">${wait.pid} <span class="note">${visible(wait.who ?? '')}</span></th><td>${visible(wait.lock)}</td><td>${wait.blockedBy.join(', ')}</td><td class="tight">${ago(wait.since)}</td></tr>`)) : html`<p class="quiet-line">${t.noLocks}</p>`)}
		${section(t.tables, table([c.table, [c.rows], [c.dead], [c.size], c.vacuum],
			full.map((each) => html`<tr><th scope="row"><code>${visible(each.name)}</code></th>
				<td class="number" data-label=${c.rows}>${count(each.liveRows)}</td>
				<td class="number" data-label=${c.dead}>${number(each.deadRows)}</td>
				<td class="number" data-label=${c.size}>${bytes(each.bytes)}</td>
				<td class="tight" data-label=${c.vacuum}>${ago(each.lastVacuumAt)}</td></tr>`)), { note: t.emptyTables(tables.length - full.length) })}
		<dl class="facts">
			${fact(t.measurement, html`${measurement.at ? html`<q-time at=${measurement.at} mode="ago" stale=${measurement.staleAfterMs}></q-time>` : text.page.never}`)}
			${fact(t.schema, schema.installed)}${fact(c.version, context.session.version)}
				</dl>`;
};
