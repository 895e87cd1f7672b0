/** What a reader may do with jobs, one, many or all that a filter selects. As in `actions.js`. */

import { html, nothing } from '../vendor/lit-html.js';
import { visible } from './blocks.js';
import { count, number } from './format.js';
import { api } from './api.js';
import { ask } from './dialog.js';
import { encodeName } from './names.js';
import { templateOf } from './template.js';
import { toast } from './toast.js';
import { MUST_BE_TYPED, act, complain, delay, delayOf, given, reason, send, toType } from './actions.js';
import { text } from '../texts/en.js';

const t = text.actions;

/** @typedef {import('./actions.js').Refresher} Refresher */

const priority = { name: 'priority', label: t.priority, inputmode: 'numeric',
	check: (/** @type {string} */ value) => (/^-?\d{1,5}$/.test(value.trim()) && Math.abs(Number(value) + 0.5) < 32_769 ? null : t.notPriority) };

/**
 * @param {Refresher} context @param {import('../api').Job} job @param {'retry' | 'cancel' | 'reschedule' | 'prioritize' | 'erase' | 'stack'} action @param {string} [revision]
 */
export const onJob = async (context, job, action, revision) => {
	const path = `jobs/${job.id}`;
	const known = revision ? { revision } : {};
	if (action === 'retry' || action === 'stack') {
		await send(context, path, { action, ...(action === 'retry' ? known : {}) });
	}
	else if (action === 'cancel') {
		const held = job.state === 'running' || job.state === 'starting';
		await ask({ title: t.cancelAsk(job.id, job.type), detail: held ? t.cancelRuns : t.cancelWaits, button: t.cancel, danger: true }, () => act(context, path, { action, ...known }));
	}
	else if (action === 'erase') {
		await ask({ title: t.eraseAsk(job.id, job.type), detail: t.eraseDetail, button: t.erase, danger: true, confirm: String(job.id) }, () => act(context, path, { action, ...known }));
	}
	else if (action === 'reschedule') {
		await ask({ title: t.rescheduleAsk(job.id), button: t.apply, fields: [delay] }, (given) => act(context, path, { action, delayMs: delayOf(given.delay), ...known }));
	}
	else {
		await ask({ title: t.prioritizeAsk(job.id), button: t.apply, fields: [{ ...priority, value: String(job.priority) }] }, (given) => act(context, path, { action, priority: Number(given.priority), ...known },
			() => send(context, path, { action, priority: job.priority })));
	}
};

/** @param {Refresher} context @param {import('../api').Job} job @param {string} step @param {string} revision */
export const onStep = async (context, job, step, revision) => {
	await ask({ title: t.retryFromAsk(step), detail: t.retryFromDetail, button: t.retryFromButton }, () => act(context, `jobs/${job.id}`, { action: 'retry', step, revision }));
};

/** What a change of many jobs asks. @param {'retry' | 'cancel' | 'reschedule' | 'prioritize' | 'erase'} action @param {string} jobs @returns {import('./dialog.js').Question} */
const questionOf = (action, jobs) => ({
	retry: { title: t.retryMany(jobs), detail: t.retryManyDetail, button: t.retryManyButton(jobs) },
	erase: { title: `${t.eraseMany(jobs)}?`, detail: t.eraseDetail, button: t.eraseMany(jobs), danger: true },
	cancel: { title: t.cancelMany(jobs), detail: t.cancelManyDetail, button: t.cancelManyButton(jobs), danger: true },
	reschedule: { title: t.rescheduleMany(jobs), button: t.rescheduleManyButton(jobs), fields: [delay] },
	prioritize: { title: t.prioritizeMany(jobs), button: t.prioritizeManyButton(jobs), fields: [{ ...priority, value: '0' }] },
})[action];

/** @param {string} action @param {Record<string, string>} given */
const changeOf = (action, given) => ({ action, ...(action === 'reschedule' ? { delayMs: delayOf(given.delay) } : {}),
	...(action === 'prioritize' ? { priority: Number(given.priority) } : {}) });

/**
 * All jobs that a filter selects: how many there are is counted before the question, and the server carries it out.
 * @param {import('../app.js').Context} context @param {string} filter @param {'retry' | 'cancel' | 'reschedule' | 'prioritize' | 'erase'} action
 */
export const onAllMatching = async (context, filter, action) => {
	try {
		/** @type {import('../api').BulkPreview} */
		const { selected } = await api.post('operations', { action, target: { filter }, dryRun: true });
		const many = selected.kind !== 'exact' || selected.value > MUST_BE_TYPED;
		if (!selected.value) {
			toast({ message: t.noneMatches });
			return;
		}
		if (many && !context.may('admin')) {
			toast({ kind: 'problem', message: t.tooMany(count(selected)) });
			return;
		}
		const question = questionOf(action, t.jobs(count(selected), selected.value));
		const notCounted = selected.kind === 'exact' ? '' : t.notCounted(count(selected));
		await ask({ ...question, detail: [notCounted, question.detail, t.carriedOut].filter(Boolean).join(' '), fields: [...(question.fields ?? []), reason],
			confirm: toType(selected, action === 'erase') }, async (given) => {
			/** @type {import('../api').BulkStarted} */
			const { operation } = await api.post('operations', { ...changeOf(action, given), target: { filter }, ...(given.reason ? { reason: given.reason } : {}) });
			context.go(`operations/${operation}`);
		});
	}
	catch (error) {
		complain(error);
	}
};

/** @param {Refresher} context @param {number} id */
export const stopOperation = async (context, id) => {
	await ask({ title: t.stopAsk(id), detail: t.stopDetail, button: t.stop, danger: true }, () => act(context, `operations/${id}`, { action: 'stop' }));
};

/** @param {string} value */
const isJson = (value) => {
	try {
		JSON.parse(value);
		return null;
	}
	catch {
		return t.notJson;
	}
};

/** @param {string} value @param {boolean} [optional] @returns {import('./dialog.js').Field} */
const payloadField = (value, optional = false) => ({ name: 'payload', label: t.payload, value, lines: 12, check: (written) => (optional && !written.trim() ? null : isJson(written)) });

/**
 * A waiting job gets another payload, or a new job is enqueued like this one.
 * @param {Refresher} context @param {import('../api').Job} job @param {'edit' | 'replay'} action @param {string} revision @param {string | null} payload null: it may not be seen, or is too long
 */
export const onPayload = async (context, job, action, revision, payload) => {
	const edits = action === 'edit';
	await ask({ title: edits ? t.editAsk(job.id) : t.replayAsk(job.id), detail: edits ? t.editDetail : payload === null ? t.replayUnseen : t.replayDetail,
		button: edits ? t.edit : t.replay, fields: [...(payload === null ? [] : [payloadField(payload, !edits && !payload)]), reason] }, async (given) => {
		const changed = payload !== null && given.payload.trim() && given.payload !== payload ? { payload: given.payload } : {};
		if (!edits || 'payload' in changed) {
			await act(context, `jobs/${job.id}`, { action, ...changed, ...(edits ? { revision } : {}), ...(given.reason ? { reason: given.reason } : {}) });
		}
	});
};

/** Sends the signal that a job waits for. @param {Refresher} context @param {import('../api').Job} job @param {string} name */
export const onSignal = async (context, job, name) => {
	await ask({ title: t.signalAsk(job.id), button: t.signal, fields: [{ name: 'signal', label: text.columns.name, value: name, check: given }, payloadField('', true), reason] }, (asked) => act(context, `jobs/${job.id}`, { action: 'signal', signal: asked.signal.trim(), ...(asked.payload.trim() ? { payload: asked.payload } : {}), ...(asked.reason ? { reason: asked.reason } : {}) }));
};

/** The payload of a type begins as its schema says. @param {string} type @param {import('./dialog.js').Fill} fill */
const beginPayload = async (type, fill) => {
	/** @type {import('../api').TypeDetail | null} */
	const known = await api.get(`types/${encodeName(type.trim())}`).catch(() => null); // a type of which nothing is known
	const { type: name, schema } = known?.payload ?? {};
	fill('payload', schema ? templateOf(JSON.parse(schema)) : known?.type.handler && !known.payload ? '' : '{}',
		schema ? html`<details><summary>${t.schema(visible(name ?? ''))}</summary><q-json label=${text.type.schema} .text=${schema}></q-json></details>` : nothing);
};

/** A new job. @param {Refresher} context @param {string} [type] @param {string} [queue] */
export const enqueueNew = async (context, type = '', queue = 'default') => {
	await ask({ title: t.enqueueAsk, detail: t.enqueueDetail, button: t.enqueue, fields: [
		{ name: 'type', label: text.columns.type, value: type, check: (written) => (written.trim() ? null : t.mustBeGiven), leads: beginPayload },
		{ name: 'queue', label: text.columns.queue, value: queue, check: (written) => (written.trim() ? null : t.mustBeGiven) },
		payloadField('{}', true), { ...delay, value: '0' }, { ...priority, value: '0' }, reason] }, (given) => act(context, 'jobs', { type: given.type.trim(), queue: given.queue.trim(), ...(given.payload.trim() ? { payload: given.payload } : {}),
		delayMs: delayOf(given.delay), priority: Number(given.priority), ...(given.reason ? { reason: given.reason } : {}) }));
};

/**
 * The same for the selected jobs, one after the other; says how many were left out and why.
 * @param {Refresher} context @param {number[]} ids @param {'retry' | 'cancel' | 'reschedule' | 'prioritize' | 'erase'} action
 */
export const onSelection = async (context, ids, action) => {
	const n = ids.length;
	const given = await ask({ ...questionOf(action, t.jobs(number(n), n)), confirm: action === 'erase' ? String(n) : undefined });
	if (!given) {
		return false;
	}
	const request = changeOf(action, given);
	let done = 0;
	let why = '';
	for (const id of ids) {
		try {
			await api.post(`jobs/${id}`, request);
			done++;
		}
		catch (error) {
			why = /** @type {Error} */ (error).message;
		}
	}
	toast({ message: t.done(done, n) + (done < n ? `; ${t.skipped(n - done, why)}` : ''), kind: done < n ? 'problem' : 'done' });
	await context.refresh();
	return true;
};

/**
 * A group of errors. More jobs than can be counted are retried as an operation on all jobs of a filter.
 * @param {import('../app.js').Context} context @param {import('../api').ErrorInfo} error
 */
export const onError = (context, { id, exception, status, note }) => {
	const path = `errors/${id}`;
	const set = (/** @type {string} */ action) => () => send(context, path, { action },
		() => send(context, path, { action: /** @type {any} */ ({ open: 'reopen', resolved: 'resolve', ignored: 'ignore' })[status] }));
	return {
		retry: async (/** @type {import('../api').Count} */ failed) => {
			if (failed.kind !== 'exact') {
				await onAllMatching(context, `state=failed&error=${id}`, 'retry');
				return;
			}
			const jobs = t.jobs(count(failed), failed.value);
			await ask({ title: t.retryQueue(exception, jobs), detail: t.retryManyDetail, button: t.retryManyButton(jobs) }, () => act(context, path, { action: 'retry' }));
		},
		resolve: set('resolve'),
		ignore: set('ignore'),
		reopen: set('reopen'),
		note: async () => {
			await ask({ title: text.errors.noteButton, button: t.apply, fields: [{ name: 'note', label: text.errors.noteHint, value: note ?? '' }] }, (given) => act(context, path, { action: 'note', reason: given.note }));
		},
	};
};
