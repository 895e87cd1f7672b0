/** Stack traces: the application's own frames stand out, those of libraries are folded. */

import { html, nothing } from '../vendor/lit-html.js';
import { visible } from './blocks.js';
import { text } from '../texts/en.js';

const LIBRARIES = ['java.', 'javax.', 'jdk.', 'sun.', 'jakarta.', 'org.springframework.', 'org.apache.', 'org.hibernate.', 'org.postgresql.', 'com.zaxxer.',
	'com.fasterxml.', 'tools.jackson.', 'io.micrometer.', 'io.netty.', 'reactor.', 'kotlin.', 'kotlinx.', 'io.rowqueue.engine.', 'io.rowqueue.autoconfigure.', 'com.sun.'];

const FRAME = /^\s+at (?:[\w.@-]*\/{1,2})?([\w.$]+)/;

/** @typedef {{ kind: 'cause', text: string } | { kind: 'own', text: string } | { kind: 'folded', lines: string[] }} Part */

/** @param {string} line */
const isLibrary = (line) => {
	const name = FRAME.exec(line)?.[1] ?? '';
	return /^\s+\.\.\. \d+/.test(line) || LIBRARIES.some((library) => name.startsWith(library)) || /\$\$|Proxy\d/.test(name);
};

/** @param {string} trace @returns {Part[]} */
export const parts = (trace) => {
	/** @type {Part[]} */
	const found = [];
	for (const line of trace.split('\n').filter((line) => line.trim())) {
		const last = found[found.length - 1];
		if (!/^\s+(at |\.\.\. )/.test(line)) {
			found.push({ kind: 'cause', text: line });
		}
		else if (!isLibrary(line)) {
			found.push({ kind: 'own', text: line });
		}
		else if (last?.kind === 'folded') {
			last.lines.push(line);
		}
		else {
			found.push({ kind: 'folded', lines: [line] });
		}
	}
	return found;
};

/** The libraries of some frames, by the first two parts of their names. @param {string[]} lines */
const libraries = (lines) => {
	const names = lines.flatMap((line) => {
		const name = FRAME.exec(line)?.[1].split('.') ?? [];
		return name.length > 2 ? [name.slice(0, ['org', 'com', 'io'].includes(name[0]) ? 2 : 1).join('.')] : [];
	});
	return [...new Set(names)].slice(0, 3).join(', ');
};

/** The first line. @param {string} trace */
export const headline = (trace) => visible(trace.split('\n', 1)[0]);

/** All but the first line; nothing if there is no trace. @param {string} trace */
export const stackTrace = (trace) => {
	const all = parts(trace).slice(1);
	return all.length === 0 ? nothing : html`<div class="trace" tabindex="0" role="group" aria-label=${text.job.trace}>${all.map((part) => (part.kind === 'folded'
		? html`<details><summary>… ${text.job.framesFolded(part.lines.length, libraries(part.lines) || '…')}</summary>${part.lines.map((line) => html`<p>${visible(line)}</p>`)}</details>`
		: html`<p class=${part.kind} data-note=${text.job.your}>${visible(part.text)}</p>`))}</div>`;
};
