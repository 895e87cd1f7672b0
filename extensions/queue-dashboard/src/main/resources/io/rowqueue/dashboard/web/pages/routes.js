import * as activity from './activity.js';
import * as calendar from './calendar.js';
import { error, errors } from './errors.js';
import * as lanes from './lanes.js';
import * as versions from './versions.js';
import { batch, batches, flow, flows } from './flows.js';
import { compare } from './compare.js';
import * as health from './health.js';
import { job } from './job.js';
import * as jobs from './jobs.js';
import * as limits from './limits.js';
import { operation } from './operation.js';
import * as overview from './overview.js';
import { queue, queues } from './queues.js';
import { schedule, schedules } from './schedules.js';
import { type, types } from './types.js';
import { worker, workers } from './workers.js';

/** Which page a path below the dashboard's root is. @type {[string, import('../app.js').Page][]} */
export const routes = [
	['', overview], ['jobs', jobs], ['jobs/:id', job], ['jobs/:id/compare/:other', compare], ['queues', queues], ['queues/:name', queue], ['types', types], ['types/:name', type],
	['schedules', schedules], ['schedules/:name', schedule], ['flows', flows], ['flows/:id', flow], ['batches', batches], ['batches/:id', batch],
	['limits', limits], ['workers', workers], ['workers/:id', worker], ['health', health], ['activity', activity], ['operations/:id', operation],
	['lanes', lanes], ['errors', errors], ['errors/:id', error], ['calendar', calendar], ['versions', versions],
];
