/** The filter of jobs: chips and text are the same words, and all of them stand in the URL. */

import { now } from './clock.js';
import { clock } from './format.js';

/** Tabs and the states that each asks for. @type {Record<string, string[]>} */
export const TABS = {
	failed: ['failed'], retrying: ['retrying'], running: ['running', 'starting', 'stuck'], queued: ['queued'], scheduled: ['scheduled'], waiting: ['waiting'], blocked: ['blocked'],
	ended: ['succeeded', 'cancelled'], all: [],
};

/** The states of the tab `all`, named: a change of many jobs needs a filter that is not empty. */
export const UNFINISHED = ['failed', 'running', 'starting', 'stuck', 'queued', 'scheduled', 'blocked'];

/** The tab of a URL: `?state=failed`, and `?state=ended` for all that stands behind it. @param {URLSearchParams} query */
export const tabOf = (query) => {
	const asked = query.getAll('state');
	if (UNFINISHED.every((state) => asked.includes(state)) || !asked.length) {
		return 'all';
	}
	return Object.keys(TABS).find((tab) => asked.includes(tab)) ?? Object.keys(TABS).find((tab) => TABS[tab].includes(asked[0])) ?? 'all';
};

/** What is asked of the API. @param {URLSearchParams} query */
export const statesOf = (query) => query.getAll('state').flatMap((state) => TABS[state] ?? [state]);

/** The words of the filter that a URL has. @param {URLSearchParams} query @returns {[string, string][]} */
export const words = (query) => [...query].filter(([name]) => !['state', 'theme', 'range'].includes(name));

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * A range of time as the API reads it: `>-2h`, `<2026-11-22T10:00Z` and `-2h..-1h` are times before and after the database's clock.
 * @param {string} written
 */
export const range = (written) => {
	const [, sign, rest] = /** @type {RegExpExecArray} */ (/^([<>]?)=?(.*)$/.exec(written));
	const half = rest.includes('..') ? rest : sign === '<' ? `..${rest}` : `${rest}..`;
	return half.split('..').map((time) => {
		const [, number, unit] = /^([+-]?\d+)([smhd])$/.exec(time) ?? [];
		return unit ? `${new Date(now() + Number(number) * UNITS[/** @type {keyof typeof UNITS} */ (unit)]).toISOString().slice(0, 19)}Z` : time;
	}).join('..');
};

const TIMES = ['created', 'due', 'started', 'ended'];

/**
 * What was written: `type:webhook -queue:"a b" attempt:>3 some text` and ids.
 * @param {string} written @param {string[]} known
 * @returns {{ words: [string, string][], unknown: string | null }}
 */
export const parse = (written, known) => {
	/** @type {[string, string][]} */
	const found = [];
	const rest = [];
	let unknown = null;
	for (const [all, name, quoted, plain, phrase, word] of written.matchAll(/(-?[A-Za-z]+):(?:"([^"]*)"|(\S+))|"([^"]*)"|(\S+)/g)) {
		if (phrase !== undefined || plain?.startsWith('//')) {
			rest.push(phrase ?? all); // words that belong together, or an address
		}
		else if (name && !known.includes(name)) {
			unknown = name;
		}
		else if (name) {
			found.push([name, TIMES.includes(name) ? range(quoted ?? plain) : quoted ?? plain]);
		}
		else if (/^#?\d+$/.test(word)) {
			found.push(['id', word.replace('#', '')]);
		}
		else {
			rest.push(word);
		}
	}
	if (rest.length) {
		known.includes('q') ? found.push(['q', rest.join(' ')]) : known.includes('type') && rest.length === 1 ? found.push(['type', rest[0]]) : unknown ??= rest[0];
	}
	return { words: found, unknown };
};

/** A word of the filter as people read it: its times in the zone that is shown. @param {string} name @param {string} value */
export const shown = (name, value) => `${name}: ${TIMES.includes(name) ? value.split('..').map((time) => (Number.isNaN(Date.parse(time)) ? time : clock(time, now()))).join('..') : value}`;

/** The page's URL for a tab and words. @param {string} tab @param {[string, string][]} words */
export const address = (tab, words) => {
	const query = new URLSearchParams([...(tab === 'all' ? [] : [['state', tab]]), ...words]);
	return `jobs${query.size ? `?${query}` : ''}`;
};
