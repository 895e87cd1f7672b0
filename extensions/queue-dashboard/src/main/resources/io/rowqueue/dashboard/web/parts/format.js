/** Numbers, durations and times as people read them. Estimates carry ≈, bounded counts a +; neither is ever left out. */

import { preferences } from './preferences.js';

const LOCALE = 'en';
const exact = new Intl.NumberFormat(LOCALE);
const short = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumSignificantDigits: 3 });
const percents = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });

/** What stands where nothing is known. */
export const NONE = '–';

let serverZone = 'UTC';

/** @param {string} zone */
const isZone = (zone) => {
	try {
		return Boolean(new Intl.DateTimeFormat(LOCALE, { timeZone: zone }));
	}
	catch {
		return false;
	}
};

/** Java has zones such as `GMT+02:00`, which browsers know as `+02:00` or not at all. @param {string} zone the zone of the server, from the session */
export const serverZoneIs = (zone) => {
	serverZone = [zone, zone.replace(/^(?:GMT|UTC|UT)(?=[+-])/, '')].find(isZone) ?? 'UTC';
};

/** @param {number | null | undefined} value */
export const number = (value) => (value == null ? NONE : exact.format(value));

/** @param {number} value */
export const compact = (value) => (Math.abs(value) < 10_000 ? exact.format(value) : short.format(value).replace(/([A-Z])$/, '\u202f$1'));

/** `18.5%`; what is not all is never `100%`, and what is not nothing never `0%`. @param {number} part @param {number} whole */
export const percent = (part, whole) => {
	if (!(whole > 0)) {
		return NONE;
	}
	const share = part / whole;
	return share > 0 && share < 0.001 ? `< ${percents.format(0.001)}` : percents.format(share < 1 ? Math.min(share, 0.999) : share);
};

/** @param {import('../api').Count | null | undefined} count */
export const count = (count) => {
	if (!count) {
		return '0';
	}
	return { exact: number(count.value), estimate: `≈ ${compact(count.value)}`, atLeast: `${number(count.value)}+` }[count.kind];
};

/** The sum of counts, which is as exact as they are; null: there are none. @param {(import('../api').Count | undefined)[]} counts @returns {import('../api').Count | null} */
export const sum = (counts) => {
	const known = /** @type {import('../api').Count[]} */ (counts.filter(Boolean));
	const kind = /** @type {const} */ (['estimate', 'atLeast']).find((each) => known.some(({ kind }) => kind === each)) ?? 'exact';
	return known.length ? { value: known.reduce((total, { value }) => total + value, 0), kind } : null;
};

/** @type {[string, number][]} */
const UNITS = [['d', 86_400_000], ['h', 3_600_000], ['min', 60_000], ['s', 1_000]];

/** As the sentences of the server write it. @param {number | null | undefined} ms @returns {string} */
export const duration = (ms) => {
	if (ms == null) {
		return NONE;
	}
	if (ms < 0) {
		return `−${duration(-ms)}`;
	}
	if (ms < 1_000) {
		return `${Math.floor(ms)} ms`;
	}
	if (ms < 10_000) {
		return `${Math.floor(ms / 100) / 10} s`;
	}
	const first = UNITS.findIndex(([, unit]) => ms >= unit);
	const [name, unit] = UNITS[first];
	const [nextName, next] = UNITS[first + 1] ?? ['', 0];
	const rest = next ? Math.floor((ms % unit) / next) : 0;
	return `${Math.floor(ms / unit)} ${name}${rest ? ` ${rest} ${nextName}` : ''}`;
};

/** @param {number} value */
export const bytes = (value) => {
	const power = value < 1 ? 0 : Math.min(4, Math.floor(Math.log2(value) / 10));
	return `${power ? (value / 2 ** (10 * power)).toFixed(1) : value} ${['B', 'kB', 'MB', 'GB', 'TB'][power]}`;
};

/** The zone in which times are shown. */
export const zone = () => ({ utc: 'UTC', server: serverZone, local: undefined })[preferences.zone];

/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

const formatted = (/** @type {number} */ at, /** @type {Intl.DateTimeFormatOptions} */ options) => {
	const key = `${zone()} ${JSON.stringify(options)}`;
	const format = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone() });
	formats.set(key, format);
	return format.format(at);
};

/** @param {number} at */
const day = (at) => formatted(at, { year: 'numeric', month: '2-digit', day: '2-digit' });

/** `13:58:02` today, else with its day. @param {string | number} time @param {number} now */
export const clock = (time, now) => {
	const at = typeof time === 'number' ? time : Date.parse(time);
	const hours = formatted(at, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
	if (day(at) === day(now)) {
		return hours;
	}
	const sameYear = day(at).slice(-4) === day(now).slice(-4);
	return `${formatted(at, { day: 'numeric', month: 'short', ...(sameYear ? {} : { year: 'numeric' }) })} ${hours}`;
};

/** `13:58`, for axes. @param {number} at */
export const minute = (at) => formatted(at, { hour: '2-digit', minute: '2-digit' });

/** `Mon 23 Nov`. @param {number} at */
export const dayName = (at) => formatted(at, { weekday: 'short', day: 'numeric', month: 'short' }).replace(',', '');

/** `16 min ago`, `in 4 min`. @param {string} time @param {number} now */
export const ago = (time, now) => {
	const ms = now - Date.parse(time);
	if (Math.abs(ms) < 1_500) {
		return 'now';
	}
	const seconds = Math.max(1, Math.floor(Math.abs(ms) / 1_000));
	const text = seconds < 10 ? `${seconds} s` : duration(seconds * 1_000);
	return ms > 0 ? `${text} ago` : `in ${text}`;
};

/** All that a tooltip says of a time. @param {string} time @param {number} now */
export const fullTime = (time, now) => {
	const at = Date.parse(time);
	const name = zone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
	return `${formatted(at, { dateStyle: 'medium', timeStyle: 'medium' })} ${name}\n${new Date(at).toISOString()}\n${ago(time, now)}`;
};

/** @param {number} n @param {string} one @param {string} [many] */
export const plural = (n, one, many = `${one}s`) => `${number(n)} ${new Intl.PluralRules(LOCALE).select(n) === 'one' ? one : many}`;
