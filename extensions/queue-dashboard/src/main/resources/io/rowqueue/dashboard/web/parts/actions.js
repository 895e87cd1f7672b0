/**
 * What a reader may do: each action asks in words where it cannot be undone, and offers to undo it where it can. The server checks
 * every one of them again.
 */

import { count, number } from './format.js';
import { encodeName } from './names.js';
import { api } from './api.js';
import { ask } from './dialog.js';
import { toast } from './toast.js';
import { text } from '../texts/en.js';

const t = text.actions;
export const MUST_BE_TYPED = 1_000;

/** @typedef {{ refresh: () => Promise<unknown> }} Refresher */

/** What is typed before many jobs are changed: their number, if all of them were counted. @param {import('../api').Count} jobs @param {boolean} [always] */
export const toType = ({ value, kind }, always = false) => (kind !== 'exact' ? t.all : always || value > MUST_BE_TYPED ? String(value) : undefined);

/** @param {unknown} error */
export const complain = (error) => {
	const problem = /** @type {import('./api.js').ApiProblem} */ (error);
	if (problem.name === 'AbortError') {
		return; // another page was opened in the meantime
	}
	const job = problem.problem?.job;
	toast({ kind: 'problem', message: problem.sentence ?? t.failed,
		...(job ? { href: `jobs/${job}`, label: text.palette.job(String(job)) } : {}) });
};

/**
 * Sends an action and shows its outcome; what the server refuses is thrown.
 * @param {Refresher} context @param {string} path @param {object} request @param {() => void} [undo]
 */
export const act = async (context, path, request, undo) => {
	/** @type {import('../api').Outcome} */
	const outcome = await api.post(path, request);
	toast({ message: outcome.message, undo: outcome.outcome === 'unchanged' ? undefined : undo,
		...(outcome.job ? { href: `jobs/${outcome.job}`, label: text.palette.job(String(outcome.job)) } : {}) });
	context.refresh().catch(complain);
};

/**
 * The same without a question: what the server refuses is shown as an outcome.
 * @param {Refresher} context @param {string} path @param {object} request @param {() => void} [undo]
 */
export const send = (context, path, request, undo) => act(context, path, request, undo).catch(complain);

/** `10m`, `2h`, `0` in milliseconds; null: it is none of them. @param {string} written */
export const delayOf = (written) => {
	const found = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|min|h|d)?\s*$/.exec(written);
	const units = { ms: 1, s: 1_000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 };
	return found && (found[2] || Number(found[1]) === 0) ? Math.round(Number(found[1]) * units[/** @type {keyof typeof units} */ (found[2] ?? 's')]) : null;
};

export const given = (/** @type {string} */ value) => (value.trim() ? null : t.mustBeGiven);
export const reason = { name: 'reason', label: t.reason, placeholder: t.reasonHint };
export const delay = { name: 'delay', label: t.delay, value: '10m', check: (/** @type {string} */ value) => (delayOf(value) === null ? t.notDelay : null) };

/** Lets a worker claim no more, or again. @param {Refresher} context @param {number} id @param {'quiet' | 'resume'} action */
export const onWorker = (context, id, action) => send(context, `workers/${id}`, { action },
	() => send(context, `workers/${id}`, { action: action === 'quiet' ? 'resume' : 'quiet' }));

/** Another number of slots for a queue of a worker. @param {Refresher} context @param {number} id @param {string} queue @param {number} current */
export const onSlots = async (context, id, queue, current) => {
	const name = queue === '*' ? text.worker.everything : queue;
	await ask({ title: t.slotsAsk(name), detail: t.slotsDetail, button: t.apply, fields: [{ name: 'slots', label: text.columns.slots, value: String(current), inputmode: 'numeric',
		check: (written) => (/^[1-9]\d{0,3}$/.test(written.trim()) ? null : t.notSlots) }] }, (given) => act(context, `workers/${id}`, { action: 'slots', slots: `${queue}=${given.slots.trim()}` },
		() => send(context, `workers/${id}`, { action: 'slots', slots: `${queue}=${current}` })));
};

/** @param {Refresher} context @param {number} id @param {string} name */
export const restartWorker = async (context, id, name) => {
	await ask({ title: t.restartAsk(name), detail: t.restartDetail, button: text.worker.restart }, () => act(context, `workers/${id}`, { action: 'restart' }));
};

/**
 * A queue or a type.
 * @param {Refresher} context @param {'queue' | 'type'} kind @param {string} name
 */
export const onClaims = (context, kind, name) => {
	const path = `${kind}s/${encodeName(name)}`;
	const pause = async () => {
		await ask({ title: t.pauseAsk(kind, name), detail: t.pauseDetail, button: t.pauseButton(name), fields: [reason] }, (given) => act(context, path, { action: 'pause', ...(given.reason ? { reason: given.reason } : {}) }, () => send(context, path, { action: 'resume' })));
	};
	const resume = (/** @type {import('../api').Pause} */ pause) => send(context, path, { action: 'resume' },
		() => send(context, path, { action: 'pause', ...(pause.reason ? { reason: pause.reason } : {}) }));
	const retry = async (/** @type {import('../api').Count} */ failed) => {
		const jobs = t.jobs(count(failed), failed.value);
		await ask({ title: t.retryQueue(name, jobs), detail: t.retryManyDetail, button: t.retryManyButton(jobs),
			confirm: toType(failed) }, () => act(context, path, { action: 'retry' }));
	};
	return { pause, resume, retry };
};

/** What is limited or held. @param {string} kind @param {string} name @returns {import('./dialog.js').Field[]} */
const ofWhat = (kind, name) => [{ name: 'kind', label: t.kind, value: kind, choices: text.limit.kinds }, { name: 'name', label: text.columns.name, value: name, check: given }];

/** Without a name, its reader is asked for what the limit is. @param {Refresher} context @param {import('../api').LimitInfo['kind']} kind @param {string} name @param {string} [current] */
export const onLimit = (context, kind, name, current) => {
	const path = `limits/${kind}/${encodeName(name)}`;
	const set = async () => {
		await ask({ title: name ? t.limitAsk(kind, name) : t.limitNew, button: t.apply, fields: [...(name ? [] : ofWhat(kind, name)), { name: 'limit', label: t.limitField, value: current ?? '' }] }, (asked) => act(context,
			name ? path : `limits/${asked.kind}/${encodeName(asked.name)}`, { action: 'limit', limit: asked.limit }, current ? () => send(context, path, { action: 'limit', limit: current }) : undefined));
	};
	const remove = async () => {
		await ask({ title: t.unlimitAsk(kind, name), detail: t.unlimitDetail, button: t.unlimit, danger: true }, () => act(context, path, { action: 'unlimit' }));
	};
	return { set, remove };
};

/** Holds a queue, a type or a limit key for some time. @param {Refresher} context @param {import('../api').LimitInfo['kind']} kind @param {string} name */
export const onHold = (context, kind, name) => {
	const fields = [...ofWhat(kind, name), { ...delay, label: t.holdTime }, reason];
	const hold = async () => {
		await ask({ title: t.holdAsk, detail: t.holdDetail, button: t.hold, fields }, (asked) => act(context, `limits/${asked.kind}/${encodeName(asked.name)}`, { action: 'hold', delayMs: delayOf(asked.delay), ...(asked.reason ? { reason: asked.reason } : {}) },
			() => send(context, `limits/${asked.kind}/${encodeName(asked.name)}`, { action: 'release' })));
	};
	return { hold, release: () => send(context, `limits/${kind}/${encodeName(name)}`, { action: 'release' }) };
};

/** A hold whose name is hidden or masked. @param {Refresher} context @param {string} id */
export const release = (context, id) => send(context, `holds/${encodeName(id)}`, { action: 'release' });

/** The weight of a fairness key. @param {Refresher} context @param {string} [key] @param {number} [weight] */
export const onWeight = async (context, key = '', weight = 1) => {
	await ask({ title: t.weightAsk, detail: t.weightDetail, button: t.apply, fields: [{ name: 'key', label: text.limit.fairnessKey, value: key, check: given },
		{ name: 'weight', label: t.weightField, value: String(weight), inputmode: 'numeric', check: (value) => (/^(100|[1-9]\d?)$/.test(value.trim()) ? null : t.weightField) }] }, (asked) => act(context, `weights/${encodeName(asked.key)}`, { action: 'weight', weight: Number(asked.weight) }));
};

/** @param {Refresher} context @param {import('../api').Schedule} schedule */
export const onSchedule = (context, { name, pauseReason }) => {
	const path = `schedules/${encodeName(name)}`;
	const pause = async () => {
		await ask({ title: t.pauseAsk('recurring job', name), button: t.pauseButton(name), fields: [reason] }, (given) => act(context, path, { action: 'pause', ...(given.reason ? { reason: given.reason } : {}) }, () => send(context, path, { action: 'resume' })));
	};
	const resume = () => send(context, path, { action: 'resume' }, () => send(context, path, { action: 'pause', ...(pauseReason ? { reason: pauseReason } : {}) }));
	const trigger = async () => {
		await ask({ title: t.triggerAsk(name), detail: t.triggerDetail, button: t.triggerButton(name) }, () => act(context, path, { action: 'trigger' }));
	};
	const backfill = async () => {
		const check = (/** @type {string} */ value) => (Number.isNaN(Date.parse(value)) ? t.notTime : null);
		const day = new Date().toISOString().slice(0, 10);
		const given = await ask({ title: t.backfillAsk(name), detail: t.backfillDetail, button: t.backfillCount, fields: [
			{ name: 'from', label: t.backfillFrom, value: `${day}T00:00:00Z`, check }, { name: 'until', label: t.backfillUntil, value: `${new Date().toISOString().slice(0, 19)}Z`, check },
			{ name: 'again', label: t.backfillAgain, value: 'no', choices: { no: t.no, yes: t.yes } }] });
		if (!given) {
			return;
		}
		const range = { from: new Date(given.from).toISOString(), until: new Date(given.until).toISOString(), again: given.again === 'yes' };
		try {
			/** @type {import('../api').BackfillPreview} */
			const found = await api.get(`${path}/backfill?from=${encodeURIComponent(range.from)}&until=${encodeURIComponent(range.until)}&again=${range.again}`);
			if (!found.jobs) {
				toast({ message: t.backfillNone(number(found.dueTimes)) });
				return;
			}
			const jobs = t.jobs(number(found.jobs), found.jobs);
			await ask({ title: t.backfillSure(name, jobs), detail: t.backfillSureDetail(number(found.dueTimes), String(found.first), String(found.last)), button: t.backfillButton(jobs) }, () => act(context, path, { action: 'backfill', ...range }));
		}
		catch (error) {
			complain(error);
		}
	};
	const remove = async () => {
		await ask({ title: t.removeAsk(name), detail: t.removeDetail, button: t.removeButton(name), danger: true }, () => act(context, path, { action: 'remove' }));
	};
	return { pause, resume, trigger, backfill, remove };
};

/** @param {Refresher} context @param {import('../api').Flow} flow */
export const onFlow = (context, { id, name, open, failed }) => ({
	cancel: async () => {
		await ask({ title: t.flowCancel(name, open), detail: t.flowCancelDetail, button: t.cancelManyButton(t.jobs(number(open), open)), danger: true }, () => act(context, `flows/${id}`, { action: 'cancel' }));
	},
	retry: async () => {
		await ask({ title: t.flowRetry(name, failed), detail: t.flowRetryDetail, button: t.retryManyButton(t.jobs(number(failed), failed)) }, () => act(context, `flows/${id}`, { action: 'retry' }));
	},
});

/** @param {Refresher} context @param {import('../api').Batch} batch */
export const onBatch = (context, { id, name, pending }) => ({
	close: () => ask({ title: t.batchClose(name), detail: t.batchCloseDetail, button: text.flow.close }, () => act(context, `batches/${id}`, { action: 'close' })),
	cancel: async () => {
		await ask({ title: t.batchCancel(name, pending), detail: t.cancelManyDetail, button: t.cancelManyButton(t.jobs(number(pending), pending)), danger: true }, () => act(context, `batches/${id}`, { action: 'cancel' }));
	},
});

/** @param {Refresher} context @param {string} name */
export const removeWindow = async (context, name) => {
	await ask({ title: t.removeWindowAsk(name), detail: t.removeWindowDetail, button: t.removeButton(name), danger: true }, () => act(context, `windows/${encodeName(name)}`, { action: 'remove' }));
};
