/**
 * The shards of the queue. The pages of a further shard are below `shards/<name>/`: links and reads are relative, so that they stay
 * there. With one database nothing of this is seen.
 */

import { html, nothing } from '../vendor/lit-html.js';
import { ago, section, visible } from './blocks.js';
import { count, duration, number } from './format.js';
import { icon } from './icons.js';
import { encodeName } from './names.js';
import { numbers, table } from './table.js';
import { text } from '../texts/en.js';

const t = text.shard;

/** @type {import('../api').Session['shards']} */
let known = null;

/** @param {import('../api').Session['shards']} shards */
export const shardsAre = (shards) => { known = shards; };

/** Recurring jobs and their calendar are on the home shard. */
export const isHome = () => !known || known.shown === known.home;

/** The root of the pages of a shard, relative to that of these pages. @param {string} name */
const rootOf = (name) => (name === known?.shown ? './' : `${isHome() ? './' : '../../'}${name === known?.home ? '' : `shards/${encodeName(name)}/`}`);

/** What an action concerns. */
export const shardNote = () => (known ? t.only(known.shown) : '');

/** Names exist in all shards, ids in one. @param {string} path */
const samePage = (path) => (/^(queues|types|schedules|errors)\/|^[^/]*$/.test(path) ? path : path.split('/')[0]);

/** Chooses another shard: its pages are loaded anew. Whoever comes back to this page finds its own shard chosen. @param {string} path */
export const shardChoice = (path) => (known ? html`<select class="shard" aria-label=${t.choose} title=${t.choose}
	@change=${(/** @type {any} */ { target }) => { location.assign(new URL(rootOf(target.value) + samePage(path), document.baseURI)); target.value = known?.shown; }}>
	${known.names.map((name) => html`<option value=${name} ?selected=${name === known?.shown}>${visible(name)}</option>`)}</select>` : nothing);

/** @typedef {import('../api').ShardInfo} ShardInfo */

/** @param {string} name @param {(shard: ShardInfo) => unknown} cell */
const counted = (name, cell) => numbers(name, (/** @type {ShardInfo} */ shard) => (shard.measuredAt ? cell(shard) : '–'));

/** @type {import('./table.js').Column<ShardInfo>[]} */
const columns = [
	{ name: t.shard, row: true, cell: ({ name, home }) => html`<a href=${rootOf(name)}>${visible(name)}</a>${home && name !== 'home' ? html` <span class="note">${t.home}</span>` : nothing}` },
	{ name: text.columns.status, kind: 'tight', cell: ({ available }) => html`<span class="state ${available ? 'succeeded' : 'failed'}">${icon(available ? 'ok' : 'critical')}<span>${available ? t.available : t.away}</span></span>` },
	counted(text.overview.waiting, ({ counts }) => count(counts.queued)),
	counted(text.columns.running, ({ counts }) => count(counts.running)),
	counted(text.columns.failed, ({ counts }) => html`<span class=${counts.failed ? 'state failed' : ''}>${count(counts.failed)}</span>`),
	numbers(text.columns.oldest, ({ oldestMs }) => duration(oldestMs)),
	numbers(t.buckets, ({ buckets }) => number(buckets)),
	{ name: t.measured, kind: 'tight', labelled: true, cell: ({ measuredAt }) => ago(measuredAt) },
];

/** All shards, as this process knows them. @param {import('../api').Shards} shards */
export const shardTable = ({ items }) => section(t.title, table(columns, items), { note: t.note });
