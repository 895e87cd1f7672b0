/**
 * The JSON contract of the dashboard: what `<path>/api/…` answers and accepts.
 *
 * - Times (`Time`) are RFC 3339 in UTC by the database's clock; durations are milliseconds (`…Ms`); ids are numbers.
 * - A value that is not known or not there is `null`; the field itself is always present (except where it is marked `?`).
 * - Payloads, results and errors travel as text; the browser never parses a payload into numbers.
 * - What the caller may not see is a {@link Hidden}, never an empty text.
 * - Every answer of a GET has `at`, the database's clock when it was read.
 * - Names in paths: each byte (UTF-8) outside A-Z a-z 0-9 . _ : - is written `~` and two upper-case hex digits.
 * - Unknown parameters are refused with 400.
 * - Unsafe methods need `Content-Type: application/json` and the header `Queue-Dashboard: 1`.
 */

export type Time = string;
export type Level = 'read' | 'operate' | 'admin' | 'payloads';

/**
 * The label of a JobState; `stuck` is held by a worker that no longer lives. Scheduled jobs are also found as `retrying`, after an
 * attempt that failed, and as `waiting`, for a signal, a time or other jobs.
 */
export type State = 'blocked' | 'scheduled' | 'retrying' | 'waiting' | 'queued' | 'starting' | 'running' | 'stuck'
	| 'succeeded' | 'failed' | 'cancelled';

/** A number of jobs: `exact`, an estimate that is shown with ≈, or `atLeast`, shown as 1,000+. */
export interface Count { value: number; kind: 'exact' | 'estimate' | 'atLeast' }

/** Text that the caller may see, or the level that he lacks for it. `truncated`: there is more of it. */
export interface Shown { text: string; truncated: boolean }
export interface Hidden { hidden: true; needs: Level }
export type Text = Shown | Hidden;

/** The position of the next page, to be sent as `cursor`; null: there is none. */
export interface PageInfo { next: string | null }

/** How far a search by walking has come; `complete`: all was looked at. */
export interface Searched { until: Time | null; rows: number; complete: boolean; because: 'full' | 'time' | 'rows' | null }

// ------------------------------------------------------------------------------------------------ GET api/session

export interface Session {
	at: Time;
	/** The principal's name, `local` or `anonymous`. */
	user: string;
	levels: Level[];
	/** Set if the host's security wants a token with unsafe methods. */
	csrf: { header: string; token: string } | null;
	/** The server's time zone, such as Europe/Berlin. */
	zone: string;
	title: string | null;
	allDatabases: string | null;
	environment: { label: string; color: 'red' | 'amber' | 'green' | 'blue' | 'grey' | null } | null;
	/** Of the library. */
	version: string;
	/** Its name in the database, and the versions of its tables. */
	schema: { name: string; installed: number; library: number };
	/** Whether everyone is admitted (`allow=everyone`): shown as a red badge. */
	open: boolean;
	/** The words of the filter that `api/jobs` understands, besides `state`, `cursor` and `limit`. */
	filters: FilterWord[];
	/** Null: the queue has one database. */
	shards: { shown: string; home: string; names: string[] } | null;
	links: Link[];
}

// ------------------------------------------------------------------------------------------------ GET api/shards

export interface Shards { at: Time; items: ShardInfo[] }
/** Null: it has not been available to this process yet. */
export interface ShardInfo {
	name: string; home: boolean; available: boolean;
	/** Of 4,096 buckets of keys. */
	buckets: number | null;
	measuredAt: Time | null; counts: StateCounts; oldestMs: number | null;
}

/** A minus leaves jobs out. */
export type FilterWord = '-state' | 'queue' | '-queue' | 'type' | '-type' | 'id' | 'key' | 'limitKey' | 'batch' | 'flow' | 'worker' | 'priority' | 'attempt'
	| 'created' | 'due' | 'started' | 'ended' | 'error' | '-error' | 'tag' | 'header' | 'payload' | 'q';

/** A link that the application has configured: `{jobId}`, `{type}`, `{queue}`, `{traceId}` are replaced, percent-encoded. */
export interface Link { name: string; template: string }

// ----------------------------------------------------------------------------------------------- GET api/overview

export interface Overview {
	at: Time;
	/** When the counts were measured; null: never. */
	measuredAt: Time | null;
	/** How old `measuredAt` may be before it counts as stale. */
	staleAfterMs: number;
	/** What needs attention, the worst first. */
	problems: Finding[];
	/** Of all queues; a state without jobs is left out. */
	jobs: StateCounts;
	slots: { total: number; held: number };
	workers: { alive: number; dead: number };
	/** How long the oldest due job has waited; null: none waits. */
	oldestMs: number | null;
	/** From the workers' counters; null: not known (yet). */
	rates: Rates | null;
	/** At most 20: those whose jobs are due longest first, if there are more. */
	queues: Queue[];
	/** How many queues there are; atLeast: others are measured together. */
	knownQueues: Count;
	/** The latest failed attempts, at most 10. */
	failures: Failure[];
}

// ---------------------------------------------------------------------------------------------- GET api/attention

/** How much needs somebody: what the rail shows beside its pages. */
export interface Attention {
	at: Time;
	/** Findings that need attention, and the level of the worst. */
	problems: number; level: 'ok' | 'info' | 'warning' | 'critical';
	/** Jobs that stay failed; null: none. */
	failed: Count | null;
	/** Open errors that were seen in the last day; null: none. */
	errors: Count | null;
	/** Workers that were lost lately. */
	lost: number;
}

/** The states that are measured; `retrying` and `waiting` are parts of `scheduled`, and what has ended is counted by minute. */
export type MeasuredState = 'blocked' | 'scheduled' | 'queued' | 'starting' | 'running' | 'stuck' | 'failed';
export type StateCounts = { [state in MeasuredState]?: Count };

/** Of the latest minute that all processes have written. */
export interface Rates {
	/** Jobs that succeeded, failed or were cancelled. */
	endedPerMinute: number;
	/** Those of them that failed. */
	failedPerMinute: number;
	/** Attempts that failed and are retried: their jobs have not ended. */
	retriedPerMinute: number;
	/** Ended in each of the last 30 minutes. */
	perMinute: number[];
}

/** Something that needs attention, in words; also a check of the page Health. */
export interface Finding {
	/** Such as `unhandled:default:send-fax`. */
	id: string;
	level: 'ok' | 'info' | 'warning' | 'critical';
	title: string;
	detail: string | null;
	/** What to do about it. */
	advice: string | null;
	/** A page of the dashboard, relative to its root, such as `jobs?state=queued&type=send-fax`. */
	link: string | null;
	since: Time | null;
}

export interface Failure {
	job: number;
	queue: string | null;
	type: string | null;
	/** Where the job is now; null: it is no longer kept. */
	state: State | null;
	attempt: number;
	startedAt: Time | null;
	failedAt: Time;
	worker: WorkerRef | null;
	/** The first line, without the stack trace: `ConnectException: Connection refused`. */
	error: Text;
}

export interface WorkerRef { id: number; name: string | null }

// --------------------------------------------------------------------------------------------------- GET api/jobs

/** GET api/jobs?state=failed&state=retrying&queue=mail&type=webhook&q=…&limit=50&cursor=… */
export interface JobPage {
	at: Time;
	items: Job[];
	page: PageInfo;
	/** null: the list did not need to walk. */
	searched: Searched | null;
}

/** GET api/jobs/count?<filter>: bounded at 1,000. */
export interface JobCount { at: Time; count: Count }

/**
 * GET api/jobs/summary?<filter>. `counts`: of the filter in each state that has not finished, whatever `state` says, each bounded at 1,000;
 * a state that could not be counted within two seconds is left out. `times`: of the first jobs of the list, at most 1,000.
 */
export interface JobSummary { at: Time; counts: { [state in CountedState]?: Count }; times: JobTimes }
export type CountedState = MeasuredState | 'retrying' | 'waiting';
/** How many jobs were due, started or ended (`of`) in each span of `stepMs` after `from`; null: none. `complete`: these are all jobs of the list. */
export interface JobTimes { of: 'due' | 'started' | 'ended'; from: Time | null; stepMs: number; jobs: number[]; complete: boolean }

export interface Job {
	id: number;
	type: string;
	queue: string;
	state: State;
	priority: number;
	attempt: number;
	maxAttempts: number | null;
	createdAt: Time;
	dueAt: Time;
	startedAt: Time | null;
	endedAt: Time | null;
	worker: WorkerRef | null;
	key: Text | null;
	limitKey: Text | null;
	error: Text | null;
	/** The beginning of it; null: it has none, or a large one. */
	payload: Text | null;
	progress: Progress | null;
	cancelRequested: boolean;
	/** null: not asked for a list. */
	verdict: VerdictInList | null;
}

export interface Progress { done: number; total: number; message: string | null; at: Time }

/** `code` is a name of the enum Verdict. */
export interface VerdictInList { code: string; text: string }

// ---------------------------------------------------------------------------------------------- GET api/jobs/{id}

export interface JobDetail {
	at: Time;
	job: Job;
	/** Changes with each change of the row; sent back with actions, 409 `changed` if it is stale. */
	revision: string;
	explanation: Explanation;
	/** What may be done with it now by this caller. */
	actions: JobAction[];
	related: Related;
	/** Whether GET …/payload and …/result have something. */
	hasPayload: boolean;
	hasResult: boolean;
}

export type JobAction = 'retry' | 'cancel' | 'reschedule' | 'prioritize' | 'edit' | 'replay' | 'signal' | 'erase' | 'stack';

export interface Explanation {
	code: string;
	/** One or two sentences, and what to do about it. */
	summary: string;
	facts: { name: string; value: string }[];
	/** What is in its way afterwards: verdict codes in words. */
	then: string[];
}

/** GET api/jobs/{id}/explanation */
export interface ExplanationAnswer { at: Time; explanation: Explanation }

export interface Related {
	flow: { id: number; name: string; job: string } | null;
	batch: { id: number; name: string } | null;
	/** Jobs that this one waits for, at most 20. */
	after: JobRef[];
	tags: Text[];
	headers: { name: string; value: Text }[];
	/** When it is cancelled if it has not begun. */
	expiresAt: Time | null;
}

export interface JobRef { id: number; type: string | null }

/** GET api/jobs/{id}/timeline: the latest last. */
export interface Timeline { at: Time; events: TimelineEvent[] }
export interface TimelineEvent {
	at: Time;
	kind: 'created' | 'due' | 'started' | 'failed' | 'succeeded' | 'cancelled' | 'step' | 'waits' | 'signal' | 'operation';
	attempt: number | null;
	/** The end of a started attempt; null: it runs. */
	until: Time | null;
	worker: WorkerRef | null;
	/** A step's name, a kind and name of what the handler waits for, an action in words, the first line of an error. */
	text: string | null;
}

/** GET api/jobs/{id}/attempts: the first one first; `error` with its stack trace. */
export interface Attempts { at: Time; items: Attempt[] }
export interface Attempt {
	attempt: number;
	startedAt: Time | null;
	endedAt: Time | null;
	outcome: 'failed' | 'running' | 'succeeded' | 'cancelled';
	worker: WorkerRef | null;
	error: Text | null;
}

/** GET api/jobs/{id}/payload and …/result: 404 if there is none. */
export interface Content { at: Time; content: Text }

/** GET api/jobs/{id}/log: the latest lines that the handler has logged, the oldest first. */
export interface JobLog { at: Time; items: LogLine[] }
export interface LogLine { attempt: number; at: Time; level: 'TRACE' | 'DEBUG' | 'INFO' | 'WARN' | 'ERROR'; text: Text }

/** GET api/jobs/{id}/steps */
export interface Steps { at: Time; items: { name: string; finishedAt: Time }[] }

// -------------------------------------------------------------------------------------------------------- actions

/** POST api/jobs/{id} */
export type JobActionRequest =
	/** With a step: it repeats this recorded step and all later ones. */
	| { action: 'retry'; step?: string; revision?: string }
	| { action: 'cancel'; revision?: string; reason?: string }
	| { action: 'reschedule'; delayMs: number; revision?: string }
	| { action: 'prioritize'; priority: number; revision?: string }
	/** Admin: another payload, as JSON, for a waiting job. */
	| { action: 'edit'; payload: string; revision: string; reason?: string }
	/** Admin: a new job like this one, with its payload or another one; `job` of the answer is its id. */
	| { action: 'replay'; payload?: string; reason?: string }
	/** Admin: a signal to a job that waits for it; the payload is JSON. */
	| { action: 'signal'; signal: string; payload?: string; reason?: string }
	/** Admin: deletes the job with all its traces. */
	| { action: 'erase'; revision?: string }
	/** Its worker writes to its log what the handler is doing. */
	| { action: 'stack' };

/** POST api/jobs (admin): enqueues a job; `job` of the answer is its id. */
export interface EnqueueRequest { type: string; queue?: string; payload?: string; priority?: number; delayMs?: number; reason?: string }

/** POST api/queues/{name} and api/types/{name} */
export type QueueActionRequest =
	| { action: 'pause'; reason?: string }
	| { action: 'resume' }
	| { action: 'retry' }
	/** `limit` as people write it: 20, 100/1m, 20, 100/1m, burst 50, or 1, ordered */
	| { action: 'limit'; limit: string }
	| { action: 'unlimit' };

/** POST api/schedules/{name} */
export type ScheduleActionRequest = { action: 'pause'; reason?: string } | { action: 'resume' } | { action: 'trigger' } | { action: 'remove' }
	| { action: 'backfill'; from: Time; until: Time; again?: boolean };

/** POST api/windows/{name} */
export type WindowActionRequest = { action: 'remove' };

/** POST api/flows/{id} */
export type FlowActionRequest = { action: 'cancel' } | { action: 'retry' };

/** POST api/batches/{id} */
export type BatchActionRequest = { action: 'cancel' } | { action: 'close' };

/** POST api/limits/{kind}/{name}; kind is queue, type or key. hold and release: operate. POST api/weights/{fairness key}: admin. */
export type LimitActionRequest = { action: 'limit'; limit: string } | { action: 'unlimit' }
	| { action: 'hold'; delayMs: number; reason?: string } | { action: 'release' };
export interface WeightActionRequest { action: 'weight'; weight: number }

/** POST api/workers/{id}; `slots` is a queue of `queueSlots` and its new number: `mail=5` */
export type WorkerActionRequest = { action: 'quiet' } | { action: 'resume' } | { action: 'slots'; slots: string } | { action: 'restart' };

/** The answer to each of them: 200. */
export interface Outcome {
	at: Time;
	/** Such as `queued`, `scheduled`, `blocked`, `cancelled`, `requested`, `paused`, `resumed`, `triggered`, `unchanged`. */
	outcome: string;
	/** A sentence for people. */
	message: string;
	/** How many jobs it concerned; null: does not apply. */
	affected: number | null;
	/** The job that a trigger has enqueued. */
	job: number | null;
	/** The row of the audit; null: it has none. */
	operation: number | null;
}

// ---------------------------------------------------------------------------------------------- GET api/queues, api/queues/{name}

export interface Queues { at: Time; measuredAt: Time | null; staleAfterMs: number; items: Queue[]; others: OtherQueues | null }
/** The queues that the measurement does not name, together. Each of them has a page under its name. */
export interface OtherQueues { jobs: StateCounts; waiting: Count; oldestMs: number | null }
export interface Queue {
	name: string;
	jobs: StateCounts;
	/** queued jobs */
	waiting: Count;
	oldestMs: number | null;
	/** Living workers with slots for it that run one of the types that wait in it; if their types are not known, with slots for it. */
	workers: number;
	/** Of these workers for this queue: its own, or those for all queues without slots of their own. */
	slots: number;
	pause: Pause | null;
	limit: LimitValue | null;
	rates: Rates | null;
}

/** GET api/queues/{name}: 404 only if nothing is known of it. */
export interface QueueDetail { at: Time; measuredAt: Time | null; staleAfterMs: number; queue: Queue; lanes: Lane[]; workers: Worker[] }

/** `toleranceMs`: how long the first job may have been due; 0: it has no tolerance. */
export interface Lane { queue: string; type: string; priority: number; ageMs: number; toleranceMs: number; firstJob: number; workers: number }

/** By a person, or by a window that is closed (then `window` and `opensAt` are set and it cannot be resumed). */
export interface Pause { name: string; pausedAt: Time; reason: string | null; window: string | null; opensAt: Time | null }

// -------------------------------------------------------------------------------------------------- GET api/types

export interface Types { at: Time; items: JobTypeInfo[] }
/** GET api/types/{name} */
export interface TypeDetail {
	at: Time;
	type: JobTypeInfo;
	/** What the handler of this process takes; null: nothing, or there is none. */
	payload: PayloadContract | null;
	lanes: Lane[]; workers: Worker[];
}
export interface PayloadContract {
	/** The Java type. */
	type: string;
	/** A JSON Schema, as text; null: see the reason. */
	schema: string | null;
	reason: string | null;
}
export interface JobTypeInfo {
	name: string;
	/** As they were measured: those that wait, run or have failed. */
	jobs: StateCounts;
	/** The class of the handler; null: this process has none. */
	handler: string | null;
	/** Options of the handler in this process; null likewise. */
	options: TypeOptions | null;
	/** Living workers that can run it. */
	workers: number;
	/** Due jobs that no living worker can run. */
	unhandled: Count | null;
	pause: Pause | null;
	limit: LimitValue | null;
	/** null: nothing was counted lately. */
	rates: Rates | null;
}
export interface TypeOptions {
	maxAttempts: number | null; timeoutMs: number | null; retry: string | null; concurrency: number | null;
	transactional: boolean; keepResult: boolean; coalesce: number | null; window: string | null;
}

// ------------------------------------------------------------------------------------------------ GET api/workers

export interface Workers { at: Time; items: Worker[] }
/** GET api/workers/{id} */
export interface WorkerDetail { at: Time; worker: Worker; running: Job[] }
export interface Worker {
	id: number;
	name: string;
	/** The server judges: `silent` has not been heard of for a while, `dead` was given up, `quiet` claims no more. */
	state: 'alive' | 'quiet' | 'silent' | 'dead';
	startedAt: Time;
	heartbeatAgeMs: number;
	deadAt: Time | null;
	listening: boolean;
	/** `*`: all that it does not name. */
	queues: string[];
	types: string[];
	slots: number;
	/** By queue; `*`: all that it does not name. */
	queueSlots: Record<string, number>;
	held: number;
	/** How old its heartbeat may become before it is lost. */
	leaseMs: number;
	/** Of the application; null: not known. */
	version: string | null;
	/** What it did in its latest minute and since it started; null: it records no figures. */
	rates: WorkerRates | null;
}

/** `cpu`: of all processors, from 0 to 1; it and the heap (bytes) are of `seenAt`, the latest minute in which the process did something. */
export interface WorkerRates {
	succeededPerMinute: number; failedPerMinute: number; succeeded: number; failed: number; java: string; host: string;
	cpu: number | null; heapUsed: number | null; heapMax: number | null; seenAt: Time;
}

// ---------------------------------------------------------------------------------------------- GET api/schedules

export interface SchedulesList { at: Time; items: Schedule[] }
/** GET api/schedules/{name} */
export interface ScheduleDetail { at: Time; schedule: Schedule; fires: Time[]; runs: ScheduleRun[] }
/** A job that a recurring job has enqueued; without a state if it is no longer kept. */
export interface ScheduleRun {
	id: number;
	dueAt: Time;
	enqueuedAt: Time;
	origin: 'due' | 'triggered' | 'backfill';
	state: State | null;
	attempt: number;
	startedAt: Time | null;
	endedAt: Time | null;
}
/** GET api/schedules/{name}/backfill?from=&until=&again=true: what the action `backfill` would enqueue. */
export interface BackfillPreview { at: Time; dueTimes: number; jobs: number; first: Time | null; last: Time | null }
/** GET api/schedules/{name}/fires?n=10 */
export interface Fires { at: Time; items: Time[] }
export interface Schedule {
	name: string;
	state: 'active' | 'paused' | 'disabled' | 'ended';
	/** As it was written: `0 0 3 * * *`, `every 5m`. */
	rhythm: string;
	zone: string | null;
	/** The first possible due time. */
	from: Time | null;
	/** All due times are before. */
	until: Time | null;
	calendar: string | null;
	/** What happens to a due time on a day that the calendar excludes. */
	excluded: 'skip' | 'next_day' | null;
	type: string;
	queue: string;
	priority: number;
	toleranceMs: number;
	jitterMs: number;
	missed: 'skip' | 'once' | 'all';
	overlap: 'skip' | 'queue';
	source: 'annotation' | 'properties' | 'code';
	nextRunAt: Time | null;
	lastDueAt: Time | null;
	lastRunAt: Time | null;
	lastJob: JobRef | null;
	lastSkippedAt: Time | null;
	pausedAt: Time | null;
	pauseReason: string | null;
	undeclaredAt: Time | null;
	/** Payload of its jobs; null: none. */
	payload: Text | null;
}

// ------------------------------------------------------------------------------------- GET api/limits, GET api/windows

export interface Limits { at: Time; items: LimitInfo[]; holds: HoldInfo[]; weights: { key: Text; weight: number }[] }
/** `id`: names the hold in `holds/{id}`, also where its name is hidden. */
export interface HoldInfo { id: string; kind: LimitInfo['kind']; name: Text; until: Time; reason: string | null }
export interface LimitValue {
	concurrency: number | null;
	rate: { jobs: number; periodMs: number; burst: number } | null;
	ordered: boolean;
	/** As people write it: `20, 100/1m, burst 50`. */
	text: string;
}
export interface LimitInfo {
	kind: 'queue' | 'type' | 'key';
	/** Of keys: the prefix or key that is limited. */
	name: string;
	limit: LimitValue;
	/** Set at run time by an operator, not by the configuration. */
	setManually: boolean;
	changedAt: Time;
	/** Jobs that have a place of its concurrency; null: does not apply. */
	held: number | null;
	/** What is left of its rate; null: does not apply. */
	tokens: number | null;
}

export interface WindowsList { at: Time; items: WindowInfo[] }
export interface WindowInfo {
	name: string;
	zone: string;
	times: string[];
	closing: 'finish' | 'stop';
	queues: string[];
	types: string[];
	open: boolean;
	openFrom: Time;
	openUntil: Time;
	/** false: no living worker declares it any more. */
	declared: boolean;
}

// ------------------------------------------------------------------------------------- GET api/flows, GET api/batches

/** GET api/flows?state=unfinished&cursor=… ; state: `unfinished` or absent. */
/** `truncated`: of the unfinished ones only some are listed. */
export interface Flows { at: Time; items: Flow[]; page: PageInfo; truncated: boolean }
export interface Flow {
	id: number;
	name: string;
	state: 'running' | 'succeeded' | 'failed' | 'cancelled';
	createdAt: Time;
	endedAt: Time | null;
	jobs: number;
	open: number;
	succeeded: number;
	failed: number;
	cancelled: number;
}
/** GET api/flows/{id} */
export interface FlowDetail { at: Time; flow: Flow; jobs: FlowJob[] }
export interface FlowJob {
	name: string;
	job: number;
	type: string | null;
	state: State;
	endedAt: Time | null;
	/** Names of the jobs it runs after. */
	after: string[];
	/** Their positions in the list: names that are hidden are all the same. */
	predecessors: number[];
	/** The job that has added it while the flow ran; null: it was enqueued with the flow. */
	addedBy: number | null;
}

/** GET api/batches?state=unfinished&cursor=… : as flows. */
export interface Batches { at: Time; items: Batch[]; page: PageInfo; truncated: boolean }
/** GET api/batches/{id} */
export interface BatchDetail { at: Time; batch: Batch }
export interface Batch {
	id: number; name: string; createdAt: Time; closedAt: Time | null; finishedAt: Time | null;
	total: number; succeeded: number; failed: number; cancelled: number; pending: number;
}

// ------------------------------------------------------------------------------------------------- GET api/health

export interface Health {
	at: Time;
	status: 'ok' | 'warning' | 'critical';
	checks: Finding[];
	/** The sessions that hold the oldest snapshots; null: none for long. */
	horizon: { transactions: number; holders: { what: string; who: string | null; since: Time | null }[] } | null;
	/** All tables of the queue, the largest first; the partitions of one are counted together. */
	tables: { name: string; liveRows: Count; deadRows: number; bytes: number; lastVacuumAt: Time | null }[];
	/** Sessions that wait for locks, the longest waiting first; at most 20. */
	locks: { pid: number; who: string | null; lock: string; since: Time | null; blockedBy: number[] }[];
	measurement: { at: Time | null; staleAfterMs: number };
	/** Its name in the database, and the versions of its tables. */
	schema: { name: string; installed: number; library: number };
}

// --------------------------------------------------------------------------------------------- GET api/operations

/** GET api/operations?cursor=…&who=…&action=…&kind=…&name=… : the audit, the latest first. */
export interface Operations { at: Time; items: Operation[]; page: PageInfo }
/** GET api/operations/{id} */
export interface OperationDetail { at: Time; operation: Operation }
export interface Operation {
	id: number;
	at: Time;
	who: string;
	via: 'dashboard' | 'endpoint' | 'code';
	address: string | null;
	action: string;
	/** As in the paths of the API; `jobs` without a name: many of them. */
	kind: 'jobs' | 'queues' | 'types' | 'schedules' | 'windows' | 'keys' | 'flows' | 'batches' | 'operations';
	name: string | null;
	reason: string | null;
	/** `unknown`: the process died between the action and its record. */
	state: 'begun' | 'running' | 'done' | 'refused' | 'failed' | 'stopped' | 'unknown';
	selected: number | null;
	done: number;
	skipped: number;
	message: string | null;
	endedAt: Time | null;
	/** Set for a change of all jobs that a filter selects. */
	bulk: BulkInfo | null;
}
/** `filter` as in the URL of the page, without what the caller may not see; `selectedAt`: null while it selects; `touchedAt`: its process reported. */
export interface BulkInfo { filter: string; selectedAt: Time | null; touchedAt: Time | null }

/**
 * POST api/operations: BulkPreview if dryRun, else BulkStarted. Operate for at most 1,000 jobs, admin for more.
 * POST api/operations/{id} `{"action": "stop"}`: Outcome.
 */
export interface BulkRequest {
	/** erase: admin, also for the preview. */
	action: 'retry' | 'cancel' | 'reschedule' | 'prioritize' | 'erase';
	/** The filter as in the URL of the page: state=failed&type=webhook */
	target: { filter: string } | { ids: number[] };
	delayMs?: number;
	priority?: number;
	reason?: string;
	dryRun?: boolean;
}
export interface BulkPreview { at: Time; selected: Count; sample: Job[] }
export interface BulkStarted { at: Time; operation: number }

// --------------------------------------------------------------------------------------------------------- problems

/** application/problem+json */
export interface Problem {
	/** urn:rowqueue:problem:<code> */
	type: string;
	title: string;
	status: number;
	detail?: string | null;
	/** With not-allowed. */
	needs?: Level;
	/** With key-taken: the job that has the key. */
	job?: number;
	/** With invalid-request. */
	errors?: { parameter: string; message: string }[];
	/** With busy, database-away, database-busy: seconds, as the header Retry-After. */
	retryAfter?: number;
}

export type ProblemCode = 'invalid-request' | 'not-allowed' | 'csrf' | 'not-found' | 'method-not-allowed' | 'key-taken' | 'not-failed'
	| 'not-waiting' | 'conflict' | 'changed' | 'too-large' | 'busy' | 'failed' | 'queue-off' | 'database-away' | 'database-busy';

// ------------------------------------------------------------------------------------------------ GET api/figures

/**
 * GET api/figures?range=1h|6h|24h|7d|90d&queue=mail, or &type=webhook: columns of at most 400 points. Series: enqueued, succeeded,
 * failed, retried, cancelled (jobs per minute), wait.p50, wait.p95, run.p50, run.p95 (ms); without a type also waiting and oldest (ms);
 * without both also dead.rows and horizon.age (transactions).
 */
export interface Figures {
	at: Time;
	intervalMs: number;
	times: Time[];
	/** Whether the last point is not complete. */
	unfinished: boolean;
	series: { [name: string]: (number | null)[] };
	/** Deployments. */
	marks: Mark[];
}
export interface Mark { at: Time; version: string }

// ------------------------------------------------------------------------------------------------- GET api/errors

/** GET api/errors?status=open&type=webhook: at most 100, those seen last first. */
export interface Errors {
	at: Time;
	/** Open ones that were seen in the last day, at most 1,000. */
	open: number;
	items: ErrorInfo[];
	/** A page without items can have a next one, if the search has a text. */
	page: PageInfo;
}
export interface ErrorInfo {
	/** 16 hexadecimal digits. */
	id: string;
	type: string;
	/** The class of the exception. */
	exception: string;
	message: Text;
	firstAt: Time;
	lastAt: Time;
	lastJob: number;
	/** Failed attempts. */
	failures: number;
	versions: string[];
	status: 'open' | 'resolved' | 'ignored';
	statusBy: string | null;
	statusAt: Time | null;
	/** When it was seen again after it was resolved. */
	reopenedAt: Time | null;
	note: string | null;
	/** Failed attempts in each of the last 24 hours. */
	perHour: number[];
}
/** GET api/errors/{id}; POST api/errors/{id}: retry (at most 1,000 jobs), resolve, ignore, reopen, note (`reason`). */
export interface ErrorDetail {
	at: Time;
	error: ErrorInfo;
	sample: Text;
	/** Jobs whose last attempt failed with it and that stay failed; among its latest 5,000 failures. */
	failed: Count;
	jobs: ErrorJob[];
}
/** `state` and `queue` are null if the job has finished. */
export interface ErrorJob { id: number; queue: string | null; state: State | null; attempt: number; failedAt: Time }

// -------------------------------------------------------------------------------------------------- GET api/lanes

/**
 * `now`: the lanes with due jobs, the longest waiting first; `items`: those that had some in one of the last three minutes, or 10, 20,
 * 30, 40 or 50 minutes ago. Of each at most 200.
 */
export interface Lanes { at: Time; now: Lane[]; times: Time[]; items: LaneAges[] }
/** How long the first job had been due in each minute; 0: none was due, null: not measured. */
export interface LaneAges { queue: string; type: string; agesMs: (number | null)[] }

// ----------------------------------------------------------------------------------------------- GET api/calendar

/** GET api/calendar?from=2026-03-29T00:00:00Z&days=7; `minutes` are counted from `from`. */
export interface Calendar { at: Time; from: Time; until: Time; windows: WindowTimes[]; schedules: ScheduleTimes[] }
/** `seconds`: when it opens and closes, in turn, in seconds after `from`. */
export interface WindowTimes { name: string; targets: string[]; seconds: number[] }
/** `seconds`: when it is due, in seconds after `from`; `complete`: these are all times. */
export interface ScheduleTimes { name: string; type: string; queue: string; state: Schedule['state']; seconds: number[]; complete: boolean }

// ----------------------------------------------------------------------------------------------- GET api/versions

/** GET api/versions?a=1.41&b=1.42: of the last week; without parameters the two latest are compared. */
export interface Versions { at: Time; items: Version[]; a: string; b: string; types: ComparedType[] }
export interface Version {
	version: string;
	firstAt: Time;
	lastAt: Time;
	processes: number;
	running: number;
	/** Ended without saying so. */
	lost: number;
	succeeded: number;
	failed: number;
}
export interface ComparedType { type: string; a: VersionFigures | null; b: VersionFigures | null }
export interface VersionFigures { attempts: number; failures: number; runP50Ms: number | null; runP95Ms: number | null }
