/** When a recurring job is due, in words. What has no short words is shown as it was written. */

import { text } from '../texts/en.js';

const t = text.cron;

const isNumber = (/** @type {string} */ field) => /^\d+$/.test(field);

const isList = (/** @type {string} */ field) => /^\d+(,\d+){0,3}$/.test(field);

/** `* /5`, `0/5` of minutes: 5. @param {string} field */
const stepOf = (field) => Number(/^(?:\*|0)\/(\d+)$/.exec(field)?.[1]) || null;

const two = (/** @type {string | number} */ n) => String(n).padStart(2, '0');

/** `MON-FRI`, `1,3`, `SUN`; null: it is none of them. @param {string} field */
const days = (field) => {
	const names = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
	const index = (/** @type {string} */ day) => (isNumber(day) ? Number(day) % 7 : names.indexOf(day.toUpperCase()));
	const parts = field.split(',').map((part) => part.split('-').map(index));
	return parts.every((part) => part.length <= 2 && part.every((day) => day >= 0)) ? parts.map((part) => part.map((day) => t.days[day]).join('–')).join(', ') : null;
};

/** On which days; null: these have no short words. @param {string} day @param {string} month @param {string} weekday */
const on = (day, month, weekday) => {
	const every = (/** @type {string} */ field) => field === '*' || field === '?';
	if (!every(month)) {
		return null;
	}
	if (every(day)) {
		return every(weekday) ? t.daily : days(weekday);
	}
	return every(weekday) && (isNumber(day) || day === 'L') ? t.monthly(day) : null;
};

/** @param {string} rhythm such as `0 0 3 * * *`, `30 18 * * MON-FRI` or `every 5m` @returns {string | null} */
export const inWords = (rhythm) => {
	const fields = rhythm.trim().split(/\s+/);
	const [second, minute, hour, day, month, weekday] = fields.length === 5 ? ['0', ...fields] : fields;
	if (![5, 6].includes(fields.length)) {
		return null;
	}
	const when = on(day, month, weekday);
	const always = when === t.daily;
	if (always && minute === '*' && hour === '*') {
		return stepOf(second) ? t.every(Number(stepOf(second)), t.second) : second === '0' ? t.every(1, t.minute) : null;
	}
	if (!when || second !== '0') {
		return null;
	}
	if (always && hour === '*' && (stepOf(minute) || isNumber(minute))) {
		return stepOf(minute) ? t.every(Number(stepOf(minute)), t.minute) : t.hourly(two(minute));
	}
	if (always && stepOf(hour) && isNumber(minute)) {
		return `${t.every(Number(stepOf(hour)), t.hour)}${minute === '0' ? '' : `, :${two(minute)}`}`;
	}
	return isNumber(minute) && isList(hour) ? t.at(when, hour.split(',').map((each) => `${two(each)}:${two(minute)}`).join(', ')) : null;
};
