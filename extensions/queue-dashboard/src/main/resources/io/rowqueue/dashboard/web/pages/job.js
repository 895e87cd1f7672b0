/** One job: a sentence first, then its life, then what it carries. */

import { html, nothing } from '../vendor/lit-html.js';
import { onJob, onPayload, onSignal, onStep } from '../parts/jobactions.js';
import { api, orNothing } from '../parts/api.js';
import { ago, clock, fact, heading, jobLink, mayBeHidden, queueLink, card, menu, section, typeLink, unqualified, visible, workerLink } from '../parts/blocks.js';
import { copies, copy } from '../parts/copy.js';
import { duration, number } from '../parts/format.js';
import { glyph, icon } from '../parts/icons.js';
import { lifeline } from '../parts/lifeline.js';
import { meter, stateWord } from '../parts/states.js';
import { headline, stackTrace } from '../parts/trace.js';
import { text } from '../texts/en.js';

const t = text.job;

/**
 * @typedef {{ detail: import('../api').JobDetail, timeline: import('../api').Timeline, attempts: import('../api').Attempts, steps: import('../api').Steps, log: import('../api').JobLog,
 *   payload: import('../api').Content | null, result: import('../api').Content | null }} Data
 */

/** Parts that only change with the row, unless the job runs. @param {Data | undefined} known @param {import('../api').JobDetail} detail */
const stillCurrent = (known, { revision, job }) => known?.detail.revision === revision && !['starting', 'running'].includes(job.state);

/** @param {import('../app.js').Context} context @returns {Promise<Data>} */
const load = async ({ params, signal, local }) => {
	const path = `jobs/${encodeURIComponent(params.id)}`;
	const detail = await api.get(path, signal);
	if (!stillCurrent(local.known, detail)) {
		const [timeline, attempts, steps, log, payload, result] = await Promise.all([
			api.get(`${path}/timeline`, signal), api.get(`${path}/attempts`, signal), api.get(`${path}/steps`, signal), api.get(`${path}/log`, signal),
			detail.hasPayload ? orNothing(api.get(`${path}/payload`, signal)) : null,
			detail.hasResult ? orNothing(api.get(`${path}/result`, signal)) : null,
		]);
		local.known = { detail, timeline, attempts, steps, log, payload, result };
	}
	return { ...local.known, detail };
};

/** @param {Data} data @param {import('../app.js').Context} context */
const buttons = ({ detail: { job, actions, revision, hasPayload, explanation }, payload }, context) => {
	const { content } = payload ?? {};
	const plain = content && 'text' in content && !content.truncated ? content.text : hasPayload ? null : '';
	/** @type {Record<import('../api').JobAction, [string, string]>} */
	const how = { retry: [text.actions.retry, 'primary'], reschedule: [text.actions.reschedule, ''], prioritize: [text.actions.prioritize, ''], replay: [`${text.actions.replay}…`, ''], edit: [`${text.actions.edit}…`, ''], signal: [`${text.actions.signal}…`, 'primary'], stack: [text.actions.stack, ''], cancel: [text.actions.cancelShort, 'danger'], erase: [`${text.actions.erase}…`, 'danger'] };
	/** @type {Partial<Record<import('../api').JobAction, () => unknown>>} */
	const own = { edit: () => onPayload(context, job, 'edit', revision, plain), replay: () => onPayload(context, job, 'replay', revision, plain),
		signal: () => onSignal(context, job, explanation.facts.find(({ name }) => name === 'waitsFor')?.value ?? '') };
	const possible = /** @type {import('../api').JobAction[]} */ (Object.keys(how)).filter((action) => actions.includes(action) && context.may('operate') && (action !== 'edit' || plain !== null) && (action !== 'stack' || context.may('payloads')));
	// what most readers came for; a job that goes on by itself has no such action
	const first = possible.filter((action) => how[action][1] === 'primary' || action === 'cancel');
	const others = possible.filter((action) => !first.includes(action));
	const button = (/** @type {import('../api').JobAction} */ action) => html`<button type="button" class=${first.includes(action) ? how[action][1] : `quiet ${how[action][1]}`} @click=${own[action] ?? (() => onJob(context, job, /** @type {any} */ (action), revision))}>${how[action][0]}</button>`;
	return html`${first.map(button)}${others.length ? menu(text.job.moreActions, others.map(button)) : nothing}`;
};

/** Links that the application has configured; only those that a browser follows to a page, and whose values are known. @param {import('../api').JobDetail} detail @param {import('../app.js').Context} context */
const links = ({ job, related }, { session }) => {
	const parent = related.headers.find(({ name }) => name === 'traceparent')?.value;
	/** @type {Record<string, string | undefined>} */
	const values = { jobId: String(job.id), type: job.type, queue: job.queue, traceId: parent && 'text' in parent ? parent.text.split('-')[1] : undefined };
	const known = (/** @type {string} */ template) => [...template.matchAll(/\{(\w+)\}/g)].every(([, name]) => values[name]);
	return session.links.filter(({ template }) => /^(https?:\/\/|\/)/.test(template) && known(template)).map(({ name, template }) => html`<a class="more"
		href=${template.replace(/\{(\w+)\}/g, (_, key) => encodeURIComponent(/** @type {string} */ (values[key])))} target="_blank" rel="noreferrer">${visible(name)}</a>`);
};

/** The statement that reads the row of a job. @param {import('../api').Job} job @param {import('../app.js').Context} context */
const rowOf = ({ id, state }, { session }) => {
	const table = state === 'succeeded' || state === 'cancelled' ? 'job_finished' : 'job';
	return `select * from "${session.schema.name.replaceAll('"', '""')}".${table} where id = ${id};`;
};

/** A masked tag leads nowhere. @param {string} tag */
const tagLink = (tag) => chip('tag', tag, tag);

/** A tag or header that leads to the jobs that have it, unless it is masked. @param {'tag' | 'header'} word @param {string} shown @param {string} value */
const chip = (word, shown, value) => (shown.endsWith('******') ? visible(shown) : html`<a class="chip" href=${`jobs?${new URLSearchParams({ [word]: value })}`}><span>${visible(shown)}</span></a>`);

/** @param {import('../api').JobDetail} detail */
const facts = ({ job, related }) => html`<dl class="facts">
	${fact(text.columns.queue, queueLink(job.queue))}
	${fact(text.columns.type, typeLink(job.type))}
	${fact(text.columns.attempt, `${job.attempt}${job.maxAttempts ? ` / ${job.maxAttempts}` : ''}`)}
	${fact(text.columns.priority, job.priority)}
	${fact(text.columns.created, html`${clock(job.createdAt)} <span class="note">${ago(job.createdAt)}</span>`)}
	${fact(text.columns.due, clock(job.dueAt))}
	${job.startedAt ? fact(text.columns.started, clock(job.startedAt)) : nothing}
	${job.endedAt ? fact(text.columns.ended, html`${clock(job.endedAt)}${job.startedAt ? html` <span class="note">${t.ran} ${duration(Date.parse(job.endedAt) - Date.parse(job.startedAt))}</span>` : nothing}`) : nothing}
	${job.worker ? fact(text.columns.worker, workerLink(job.worker)) : nothing}
	${job.key ? fact(t.uniqueKey, mayBeHidden(job.key, visible)) : nothing}
	${job.limitKey ? fact(t.limitKey, mayBeHidden(job.limitKey, visible)) : nothing}
	${related.flow ? fact(t.flow, html`<a href="flows/${related.flow.id}">${visible(related.flow.name)}</a> <span class="note">${visible(related.flow.job)}</span>`) : nothing}
	${related.batch ? fact(t.batch, html`<a href="batches/${related.batch.id}">${visible(related.batch.name)}</a>`) : nothing}
	${related.after.length ? fact(t.afterJobs, related.after.map(({ id }) => html`${jobLink(id)} `)) : nothing}
	${related.tags.length ? fact(t.tags, related.tags.map((tag) => html`${mayBeHidden(tag, tagLink)} `)) : nothing}
	${related.headers.map(({ name, value }) => fact(visible(name), mayBeHidden(value, (shown) => chip('header', shown, `${name}=${shown}`))))}
	${related.expiresAt ? fact(t.expires, clock(related.expiresAt)) : nothing}
	${job.progress ? fact(t.progress, html`${meter(job.progress.done, job.progress.total, t.progress)}<span>${number(job.progress.done)} / ${number(job.progress.total)} ${visible(job.progress.message ?? '')}</span>`) : nothing}
</dl>`;

/** @param {import('../api').Attempt} attempt @param {boolean} open */
const attemptRow = (attempt, open) => html`<li class="attempt">
	<header><b>#${attempt.attempt}</b> ${stateWord(attempt.outcome)} <span>${clock(attempt.startedAt ?? attempt.endedAt)}</span>
		${attempt.startedAt && attempt.endedAt ? html`<span class="note">${t.ran} ${duration(Date.parse(attempt.endedAt) - Date.parse(attempt.startedAt))}</span>` : nothing}
		${attempt.worker ? html`<span class="note">${workerLink(attempt.worker)}</span>` : nothing}
		${attempt.error && !('hidden' in attempt.error) ? html`<button type="button" class="small quiet" @click=${() => copy(/** @type {any} */ (attempt.error).text, text.columns.error)}>${t.copy}</button>` : nothing}</header>
	${mayBeHidden(attempt.error, (trace) => html`<p class="message">${headline(trace)}</p>${open ? stackTrace(trace) : trace.includes('\n') ? html`<details><summary class="note">${t.trace}</summary>${stackTrace(trace)}</details>` : nothing}`)}</li>`;

/** The tones of levels that stand out. @type {Partial<Record<import('../api').LogLine['level'], string>>} */
const LEVELS = { WARN: 'warning', ERROR: 'failed' };

/** From the least to the most urgent. @type {import('../api').LogLine['level'][]} */
const ALL_LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR'];

/** Lines of a level or a more urgent one that have a text. @param {import('../api').LogLine[]} items @param {import('../app.js').Context} context */
const logOf = (items, { local, set }) => {
	const { level = 'TRACE', words = '' } = local.log ?? {};
	const there = ALL_LEVELS.filter((each) => items.some((line) => line.level === each));
	const shown = items.filter((line) => ALL_LEVELS.indexOf(line.level) >= ALL_LEVELS.indexOf(level) && (!words || 'text' in line.text && line.text.text.toLowerCase().includes(words.toLowerCase())));
	const change = (/** @type {object} */ changes) => set({ log: { level, words, ...changes } });
	return html`${items.length > 5 ? html`<div class="tool-row"><span class="box">${icon('search')}<input type="search" aria-label=${t.searchLog} placeholder=${t.searchLog} autocomplete="off" spellcheck="false" @input=${(/** @type {any} */ event) => change({ words: event.target.value })}></span>
		${there.length > 1 ? html`<span class="ranges" role="group" aria-label=${t.levels}>${there.map((each, i) => html`<button type="button" class="small quiet" aria-pressed=${i === 0 ? !there.slice(1).includes(level) : each === level} @click=${() => change({ level: each })}>${each}${i < there.length - 1 ? '+' : ''}</button>`)}</span>` : nothing}
		${shown.length < items.length ? html`<span class="note" role="status">${text.page.found(shown.length, items.length)}</span>` : nothing}</div>` : nothing}
		<ol class="log">${shown.map(logRow)}</ol>`;
};

/** @param {import('../api').LogLine} line */
const logRow = ({ at, attempt, level, text: plain }) => html`<li>${clock(at)}<b class="level ${LEVELS[level] ?? ''}">${level}</b>
	<div class="lines">${mayBeHidden(plain, (lines) => (/\n\s+at /.test(lines) ? html`${headline(lines)}${stackTrace(lines)}` : visible(lines)))}</div><span class="note">#${attempt}</span></li>`;

/** @param {import('../api').Content | null} content @param {string} name @param {string} none */
const contentOf = (content, name, none) => (content ? html`${mayBeHidden(content.content, (plain) => html`<q-json label=${name} .text=${plain}></q-json>`)}
	${'truncated' in content.content && content.content.truncated ? html`<p class="note">${t.truncated}</p>` : nothing}` : html`<p class="quiet-line">${none}</p>`);

/** A line of what happened. @param {string} at @param {Parameters<typeof glyph>[0]} mark @param {unknown} what */
const line = (at, mark, what) => html`<li>${clock(at)}${glyph(mark)}<span class="what">${what}</span></li>`;

/** @type {Record<import('../api').TimelineEvent['kind'], Parameters<typeof glyph>[0]>} */
const MARKS = { created: 'blocked', due: 'scheduled', started: 'running', failed: 'failed', succeeded: 'succeeded', cancelled: 'cancelled',
	step: 'queued', waits: 'scheduled', signal: 'queued', operation: 'paused' };

/** @param {import('../api').TimelineEvent} event */
const eventRow = ({ at, kind, attempt, text: plain, worker }) => line(at, MARKS[kind], html`${t.events[kind]}
	${attempt ? html`<span class="note">${t.attempt(attempt, null)}</span>` : nothing}
	${worker ? html`<span class="note">${workerLink(worker)}</span>` : nothing}
	${plain ? html`<span class="detail" title=${visible(plain)}>${visible(unqualified(plain))}</span>` : nothing}`);

/** Why the job is where it is. @param {import('../api').JobDetail} detail */
const sentence = ({ job, explanation: { code, summary, then } }) => html`<p class="sentence ${code.startsWith('NO_WORKER') ? 'warning' : job.state}">${visible(summary)}
	${job.cancelRequested ? t.cancelRequested : nothing}
	${then.length ? html`<span class="then">${t.then}: ${then.map(visible).join(', ')}</span>` : nothing}</p>`;

/** Facts that the page says already. */
const SAID = ['state', 'queue', 'type', 'priority', 'attempt', 'maxAttempts', 'createdAt', 'runAt', 'startedAt', 'finishedAt', 'lastError', 'worker', 'workerId'];

/** @param {import('../api').Explanation} explanation */
const furtherFacts = ({ facts }) => {
	const further = facts.filter(({ name }) => !SAID.includes(name));
	const words = (/** @type {string} */ name) => visible(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
	return further.length ? section(t.facts, html`<dl class="facts">${further.map(({ name, value }) => fact(words(name), visible(value)))}</dl>`) : nothing;
};

/** A masked step cannot be named. @param {Data['steps']['items'][0]} step @param {Data} data @param {import('../app.js').Context} context */
const stepRow = ({ finishedAt, name }, { detail: { job, actions, revision } }, context) => line(finishedAt, 'succeeded', html`${visible(name)}
	${actions.includes('retry') && context.may('operate') && !name.endsWith('******') ? html`<button type="button" class="small quiet" @click=${() => onStep(context, job, name, revision)}>${text.actions.retryFrom}</button>` : nothing}`);

/** What happened to it, beside what it carries. @param {Data} data @param {import('../app.js').Context} context */
const history = (data, context) => html`
	${section(t.happened, html`<ol class="events">${[...data.timeline.events].reverse().map(eventRow)}</ol>`)}
	${data.steps.items.length ? section(t.steps, html`<ol class="events">${data.steps.items.map((step) => stepRow(step, data, context))}</ol>`) : nothing}
	${furtherFacts(data.detail.explanation)}`;

/** @param {Data} data @param {import('../app.js').Context} context */
const view = (data, context) => {
	const { detail, timeline, attempts, log, payload, result } = data;
	const { job } = detail;
	const failed = [...attempts.items].reverse();
	return html`
		${heading(`${visible(job.type)} ${job.id}`, {
			above: html`<a href="jobs">${text.pages.jobs}</a>`,
			note: stateWord(job.state),
			actions: html`${links(detail, context)}${buttons(data, context)}${copies({ id: String(job.id), api: `jobs/${job.id}`, data: detail, sql: rowOf(job, context) })}`,
		})}
		${sentence(detail)}
		${card(facts(detail))}
		${lifeline(timeline.events) === nothing ? nothing : section(t.timeline, lifeline(timeline.events))}
		<div class="split uneven"><div>
			${section(`${t.attempts} ${failed.length || ''}`, failed.length
				? html`<ol>${failed.map((attempt, i) => attemptRow(attempt, i === 0))}</ol>` : html`<p class="quiet-line">${t.noAttempts}</p>`)}
			${log.items.length ? section(t.log, logOf(log.items, context)) : nothing}
			${section(t.payload, contentOf(payload, t.payload, t.noPayload))}
			${detail.hasResult ? section(t.result, contentOf(result, t.result, t.noResult)) : nothing}
		</div><div>${history(data, context)}</div></div>`;
};

/** @type {import('../app.js').Page} */
export const job = {
	title: ({ params }, data) => `${data ? visible(data.detail.job.type) : ''} ${params.id}`.trim(),
	load,
	view,
	keys: (data, context) => {
		const { job, actions, revision } = data.detail;
		const does = (/** @type {'retry' | 'cancel'} */ action) => () => {
			actions.includes(action) && context.may('operate') && onJob(context, job, action, revision);
		};
		return { r: does('retry'), c: does('cancel'), y: () => copy(location.href, text.copy.link) };
	},
};
