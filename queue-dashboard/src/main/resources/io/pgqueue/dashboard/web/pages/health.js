/** A column of checks in words, what holds the horizon, the tables. */

import { html, nothing } from '../vendor/lit-html.js';
import { api } from '../parts/api.js';
import { ago, finding, heading, section, visible } from '../parts/blocks.js';
import { copies, copy } from '../parts/copy.js';
import { bytes, count, duration, number } from '../parts/format.js';
import { icon } from '../parts/icons.js';
import { text } from '../texts/en.js';

const c = text.columns;
const t = text.health;

export const title = () => text.pages.health;

/** @param {import('../app.js').Context} context */
export const load = ({ signal }) => api.get('health', signal);

const copySql = (/** @type {string} */ sql) => copy(sql, 'SQL');

/** @param {import('../api').Health} health @param {import('../app.js').Context} context */
export const view = (health, context) => {
	const { status, checks, horizon, tables, measurement, schema } = health;
	return html`${heading(text.pages.health, { actions: copies({ api: 'health', data: health }) })}
		<p class="sentence ${status}">${t.statuses[status]}.</p>
		${section(t.checks, html`<ul>${checks.map((check) => finding(check, copySql))}</ul>`)}
		${section(t.horizon, horizon ? html`<p>${t.horizonDetail(number(horizon.transactions))}</p>
			<ul>${horizon.holders.map((holder) => html`<li class="finding warning">${icon('warning')}<div><p class="title">${visible(holder.what)} <span class="note">${visible(holder.who ?? '')} ${holder.since ? ago(holder.since) : nothing}</span></p>
			${holder.sql ? html`<p><code>${visible(holder.sql)}</code> <button type="button" class="small" @click=${() => copySql(holder.sql ?? '')}>${t.copySql}</button></p>` : nothing}</div></li>`)}</ul>` : html`<p class="quiet-line">${text.empty.holders}</p>`)}
		${section(t.tables, html`<div class="scroll"><table class="rows fold"><thead><tr><th scope="col">${c.table}</th><th scope="col" class="number">${c.rows}</th><th scope="col" class="number">${c.dead}</th><th scope="col" class="number">${c.size}</th><th scope="col">${c.vacuum}</th></tr></thead>
			<tbody>${tables.map((table) => html`<tr><th scope="row"><code>${visible(table.name)}</code></th><td class="number" data-label=${c.rows}>${count(table.liveRows)}</td><td class="number" data-label=${c.dead}>${number(table.deadRows)}</td><td class="number" data-label=${c.size}>${bytes(table.bytes)}</td><td class="tight" data-label=${c.vacuum}>${ago(table.lastVacuumAt)}</td></tr>`)}</tbody></table></div>`)}
		<dl class="facts"><div><dt>${t.measurement}</dt><dd>${measurement.at ? html`<q-time at=${measurement.at} mode="ago" stale=${measurement.staleAfterMs}></q-time>` : text.page.never} ${measurement.tookMs === null ? nothing : html`<span class="note">${t.took} ${duration(measurement.tookMs)}</span>`}</dd></div>
			<div><dt>${t.schema}</dt><dd>${schema.installed}</dd></div><div><dt>${text.product}</dt><dd>${context.session.version}</dd></div></dl>`;
};
