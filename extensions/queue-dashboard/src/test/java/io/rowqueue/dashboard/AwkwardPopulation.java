package io.rowqueue.dashboard;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.measure.MeasurementStore;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.Flow;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.schedule.Rhythm;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.window.Window;
import io.rowqueue.window.Windows;
import org.awaitility.Awaitility;

import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A queue in which each figure that is nearly right is wrong: queues with different
 * slots, jobs that nobody can run, failed attempts beside jobs that succeeded, flows and
 * batches half done, more queues than are measured on their own, workers that died, and
 * minutes that differ from each other.
 */
final class AwkwardPopulation {

	/** Of the 230 queues that are measured together, one. */
	static final String TENANT = "tenant-230";

	private AwkwardPopulation() {
	}

	static Host start() {
		Host host = Host.start(Host.Kind.SERVLET, new Class<?>[] { Hosts.LevelsByHeader.class });
		flowsAndBatches(host);
		jobs(host.jdbc());
		workers(host.jdbc());
		history(host.jdbc());
		limits(host);
		host.bean(Schedules.class)
			.put(Schedule.of("at half past two", Rhythm.cron("0 30 2 * * *", "Europe/Berlin"),
					JobRequest.of("report")));
		host.bean(Schedules.class)
			.put(Schedule.of("each minute and a half", Rhythm.every(Duration.ofSeconds(90)), JobRequest.of("report")));
		runs(host);
		operations(host.jdbc());
		host.bean(Windows.class).put(Window.of("late", "Europe/Berlin", "22:00-23:15").queues("reports"));
		measure(host);
		return host;
	}

	/** As one process of the cluster does. */
	static void measure(Host host) {
		new MeasurementStore(host.bean(QueueDatabases.class).worker()).measure(Duration.ofSeconds(10));
	}

	/** They are run by a process that stops afterwards. */
	private static void flowsAndBatches(Host host) {
		JobQueue queue = host.bean(JobQueue.class);
		Flow flow = Flow.named("one broken");
		flow.job("first", JobRequest.of("work", 1));
		flow.job("second", JobRequest.of("broken", 1).maxAttempts(1)).after("first");
		flow.job("third", JobRequest.of("work", 1)).after("second");
		queue.enqueue(flow);
		Flow half = Flow.named("37 of 200");
		IntStream.range(0, 200)
			.forEach((i) -> half.job("part " + i,
					(i < 37) ? JobRequest.of("work", 1) : JobRequest.of("work", 1).delay(Duration.ofDays(1))));
		queue.enqueue(half);
		queue.enqueueBatch(Batch.named("469 of 500"), IntStream.range(0, 500)
			.mapToObj((i) -> (i < 450) ? JobRequest.of("work", 1) : (i < 469)
					? JobRequest.of("broken", 1).maxAttempts(1) : JobRequest.of("work", 1).delay(Duration.ofDays(1))));
		try (Host worker = Host.beside(host, new Class<?>[] { Handlers.class }, "rowqueue.worker.enabled=true")) {
			JdbcClient jdbc = worker.jdbc();
			Awaitility.await()
				.atMost(Duration.ofMinutes(2))
				.until(() -> jdbc.sql("""
						select count(*) = 0 from rowqueue.job where state in ('queued', 'starting', 'running')""")
					.query(Boolean.class)
					.single());
		}
	}

	private static void jobs(JdbcClient jdbc) {
		insert(jdbc, "default", "work", "queued", 0, 12, "7 minutes");
		insert(jdbc, "mail", "letter", "queued", 0, 5, "3 minutes");
		insert(jdbc, "mail", "orphan", "queued", 0, 8, "2 hours");
		insert(jdbc, "stray", "orphan", "queued", 0, 3, "90 minutes");
		insert(jdbc, "default", "work", "failed", 3, 7, "1 hour");
		insert(jdbc, "imports", "work", "failed", 1, 10_050, "1 day");
		insert(jdbc, "default", "work", "scheduled", 0, 4, "-1 hour");
		insert(jdbc, "default", "work", "scheduled", 2, 3, "-10 minutes");
		insert(jdbc, "default", "work", "blocked", 0, 2, "1 minute");
		jdbc.sql(
				"""
						insert into rowqueue.job_failure (job_id, failed_at, leased_at, worker_id, attempt, error)
						select id, now() - interval '1 minute' - id * interval '1 second', leased_at, 101, attempt, 'java.io.IOException: x'
						from rowqueue.job where attempt > 0 and queue = 'default' and state in ('failed', 'scheduled')""")
			.update();
		jdbc.sql("""
				insert into rowqueue.job (queue, type, state, run_at, order_at)
				select 'tenant-' || i, 'work', 'queued', t, t from generate_series(1, 230) i, generate_series(1, 2),
					lateral (select now() - (300 - i) * interval '1 second' as t) due""").update();
		held(jdbc, 101, "default", "work", "running", 3);
		held(jdbc, 101, "default", "work", "starting", 1);
		held(jdbc, 102, "mail", "letter", "running", 2);
		held(jdbc, 103, "default", "work", "running", 4);
	}

	private static void insert(JdbcClient jdbc, String queue, String type, String state, int attempt, int jobs,
			String due) {
		jdbc.sql("""
				insert into rowqueue.job (queue, type, state, attempt, run_at, order_at, leased_at, last_error)
				select ?, ?, ?::rowqueue.job_state, ?, t, t, case when ? > 0 then t end, case when ? > 0 then 'x' end
				from generate_series(1, ?), lateral (select now() - ?::interval as t) due""")
			.params(queue, type, state, attempt, attempt, attempt, jobs, due)
			.update();
	}

	private static void held(JdbcClient jdbc, long worker, String queue, String type, String state, int jobs) {
		jdbc.sql(
				"""
						with held as (
							insert into rowqueue.job (queue, type, state, attempt, lease, run_at, order_at, leased_at, worker_id)
							select ?, ?, ?::rowqueue.job_state, 1, 1, now(), now(), now(), ? from generate_series(1, ?) returning id)
						insert into rowqueue.claim (worker_id, job_ids) select ?, array_agg(id) from held""")
			.params(queue, type, state, worker, jobs, worker)
			.update();
	}

	private static void workers(JdbcClient jdbc) {
		jdbc.sql(
				"""
						insert into rowqueue.worker (id, name, started_at, dead_at, queues, types, slots, lease, quiet) values
							(101, 'web-1:1', now() - interval '10 days', null, array['default', 'mail', '*'], array['work', 'report'],
								'{"default": 6, "mail": 4, "*": 18}', '1 hour', false),
							(102, 'web-2:1', now() - interval '1 hour', null, array['mail'], array['letter'], '{"mail": 3}', '1 hour', true),
							(103, 'web-3:1', now() - interval '2 days', now() - interval '45 seconds', array['*'], array['work'],
								'{"*": 10}', '1 hour', false)""")
			.update();
		jdbc.sql(
				"""
						insert into rowqueue.process (worker_id, name, version, java, host, started_at, seen_at, ended_at, how, succeeded,
							failed, latest_succeeded, latest_failed, latest_seconds) values
							(101, 'web-1:1', '1.4', '21', 'web-1', now() - interval '10 days', now(), null, null, 1000, 9, 38, 4, 60),
							(102, 'web-2:1', '1.5', '21', 'web-2', now() - interval '1 hour', now(), null, null, 70, 0, 35, 0, 60),
							(103, 'web-3:1', '1.5', '21', 'web-3', now() - interval '2 days', now(), null, null, 50, 50, 0, 0, 60),
							(104, 'web-4:1', '1.4', '21', 'web-4', now() - interval '6 days', now(), now() - interval '2 days', 'stopped', 5, 1, 0, 0, 60),
							(105, 'web-5:1', '1.3', '21', 'web-5', now() - interval '9 days', now(), now() - interval '8 days', 'lost', 7, 7, 0, 0, 60)""")
			.update();
		jdbc.sql(
				"""
						insert into rowqueue.process (worker_id, name, version, java, host, started_at, seen_at, ended_at, how)
						select 200 + i, 'spot-' || i || ':1', case when i in (1, 1199) then '' when i < 600 then '0.9' else '1.0' end, '21', 'spot',
							now() - interval '80 days' + i * interval '1 minute', now(), now() - interval '60 days', 'stopped'
						from generate_series(0, 1200) i""")
			.update();
	}

	/**
	 * Slots of leases that are over, and of jobs that are gone, beside those of the jobs
	 * that are held; tokens that have grown beyond the burst, and some of half a token.
	 */
	private static void limits(Host host) {
		JobLimits limits = host.bean(JobLimits.class);
		limits.set(LimitKind.QUEUE, "mail", Limit.of("5, 100/1m"));
		limits.set(LimitKind.QUEUE, "default", Limit.of("10/1d, burst 50"));
		limits.set(LimitKind.TYPE, "work", Limit.of("9, 6/1h, burst 10"));
		limits.set(LimitKind.KEY, "customer", Limit.of("3"));
		limits.set(LimitKind.KEY, "customer:7", Limit.of("5, 20/1d"));
		limits.hold(LimitKind.KEY, "customer:9", Duration.ofHours(1), "asked to");
		limits.setWeight("8", 7);
		JdbcClient jdbc = host.jdbc();
		jdbc.sql("""
				insert into rowqueue.pause (kind, name, source, open_from)
				values ('key', 'customer:10', ':hold', now() - interval '1 minute')""").update();
		jdbc.sql(
				"""
						insert into rowqueue.job_slot (kind, name, job_id, lease)
						select kind, name, id, lease from rowqueue.job, lateral (values ('queue', queue), ('type', type)) bounded (kind, name)
						where worker_id is not null and (kind, name) in (('queue', 'mail'), ('queue', 'default'), ('type', 'work'))
						union all
						select 'queue', queue, min(id), 1 from rowqueue.job where state = 'queued' and queue in ('mail', 'default') group by queue
						union all
						select 'queue', 'mail', max(id), 9 from rowqueue.job where worker_id = 101
						union all
						select 'type', 'work', 987654321, 1""")
			.update();
		jdbc.sql(
				"""
						update rowqueue.job_limit set tokens_at = now() - interval '1 hour', tokens = case name when 'work' then 7.2 else 0.25 end
						where name in ('work', 'default')""")
			.update();
		jdbc.sql("""
				insert into rowqueue.job_key (limit_key, tokens, tokens_at)
				values ('customer:7', 3.9, now() - interval '12 hours'), ('customer:8', 1, now())""").update();
		jdbc.sql(
				"""
						update rowqueue.job set limit_key = 'customer:7', limit_units = case state when 'running' then 7 end
						where worker_id = 102 or id = any (array(
							select id from rowqueue.job where queue = 'default' and state in ('queued', 'blocked') order by id desc limit 3))
							or id = any (array(select id from rowqueue.job where worker_id = 101 and state = 'starting'))""")
			.update();
	}

	/** Of a recurring job: how its jobs ended, one of which is no longer kept. */
	private static void runs(Host host) {
		host.bean(Schedules.class)
			.put(Schedule.of("nightly sums", Rhythm.cron("0 15 4 * * *", "Europe/Berlin"), JobRequest.of("report")));
		JdbcClient jdbc = host.jdbc();
		run(jdbc, "failed", 3, "due", 4);
		run(jdbc, "scheduled", 2, "triggered", 3);
		run(jdbc, "queued", 0, "backfill", 9);
		jdbc.sql(
				"""
						insert into rowqueue.job_failure (job_id, failed_at, leased_at, attempt, error)
						select id, now() - interval '3 days' + attempts.number * interval '1 minute', leased_at, attempts.number, 'x'
						from rowqueue.job, generate_series(1, attempt) as attempts (number) where type = 'report'""")
			.update();
		for (String state : List.of("succeeded", "cancelled")) {
			jdbc.sql(
					"""
							with ended as (
								insert into rowqueue.job_finished (id, run_at, created_at, leased_at, finished_at, state, priority, attempt, queue, type)
								select nextval('rowqueue.job_id_seq'), now() - interval '2 days', now() - interval '2 days', now() - interval '47 hours',
									now() - interval '46 hours', ?::rowqueue.job_state, 0, 2, 'default', 'report' returning id)
							insert into rowqueue.schedule_run (name, job_id, due_at, enqueued_at, origin)
							select 'nightly sums', id, now() - interval '2 days', now() - interval '47 hours', 'due' from ended""")
				.param(state)
				.update();
		}
		jdbc.sql(
				"""
						insert into rowqueue.schedule_run (name, job_id, due_at, enqueued_at, origin) values
							('nightly sums', nextval('rowqueue.job_id_seq'), now() - interval '26 hours', now() - interval '25 hours', 'due'),
							('at half past two', nextval('rowqueue.job_id_seq'), now() - interval '1 hour', now(), 'due')""")
			.update();
		jdbc.sql(
				"""
						update rowqueue.schedule set last_due_at = now() - interval '26 hours', last_run_at = now() - interval '25 hours',
							last_skipped_at = now() - interval '2 hours', last_job_id = (
								select max(job_id) from rowqueue.schedule_run r where r.name = schedule.name)
						where name = 'nightly sums'""")
			.update();
	}

	private static void run(JdbcClient jdbc, String state, int attempt, String origin, int days) {
		jdbc.sql(
				"""
						with active as (
							insert into rowqueue.job (queue, type, state, attempt, run_at, order_at, leased_at)
							select 'default', 'report', ?::rowqueue.job_state, ?, t, t, case when ? > 0 then t + interval '5 minutes' end
							from (select now() - interval '3 days' as t) due returning id)
						insert into rowqueue.schedule_run (name, job_id, due_at, enqueued_at, origin)
						select 'nightly sums', id, now() - ? * interval '1 day', now() - interval '3 days', ? from active""")
			.params(state, attempt, attempt, days, origin)
			.update();
	}

	/** Nobody is at work on those on jobs of a filter. */
	private static void operations(JdbcClient jdbc) {
		jdbc.sql(
				"""
						insert into rowqueue.operation (at, who, via, action, kind, name, state, filter, selected, selected_at, jobs, skipped, ended_at)
						values
							(now(), 'ada', 'dashboard', 'retry', 'jobs', '', 'running', 'state=failed', 1000, now(), 400, 7, null),
							(now(), 'ada', 'dashboard', 'cancel', 'jobs', '', 'running', 'state=queued', null, null, null, null, null),
							(now() - interval '1 hour', 'bob', 'cli', 'delete', 'jobs', '', 'done', 'state=failed', 50, now(), 44, 6, now()),
							(now() - interval '2 hours', 'bob', 'cli', 'retry', 'jobs', '', 'stopped', 'state=failed', 300, now(), 120, 30, now()),
							(now() - interval '20 minutes', 'ada', 'dashboard', 'pause', 'queues', 'mail', 'begun', null, null, null, null, null, null),
							(now() - interval '10 minutes', 'ada', 'dashboard', 'pause', 'queues', 'mail', 'begun', null, null, null, null, null, null),
							(now() - interval '1 day', 'eve', 'endpoint', 'retry', 'queues', 'mail', 'done', null, null, null, 12, null, now())""")
			.update();
		jdbc.sql(
				"""
						insert into rowqueue.operation_job (operation_id, job_id)
						select id, job from rowqueue.operation, generate_series(1, selected - jobs - skipped) job where selected > 0""")
			.update();
	}

	/**
	 * Some minutes of the future are written, too: the clock goes on while the pages are
	 * asked. The last hours are not summed up yet, and those before differ from their
	 * minutes.
	 */
	private static void history(JdbcClient jdbc) {
		for (List<String> of : List.of(List.of("all", ""), List.of("queue", "default"), List.of("type", "work"))) {
			jdbc.sql(
					"""
							insert into rowqueue.tally (seconds, kind, name, at, version, enqueued, succeeded, retried, failed, cancelled, snoozed,
								waits, runs)
							select 60, ?, ?, date_trunc('minute', now(), 'UTC') - minute * interval '1 minute', version, 7 + minute % 5,
								44 + minute % 7, 80 + minute % 11, 5 + minute % 3, minute % 2, 2,
								array[9, minute % 4, 0, 30 + minute % 5, 0, 0, minute % 7], case version when '1.4' then array[0, 5, 20, minute % 9, 0, 1]
									else array[0, 0, 3, 0, 0, 0, 40 + minute % 6, 0, 0, 1 + minute % 2] end
							from generate_series(-30, 1500) minute, unnest(array['1.4', '1.5']) version where minute % 13 <> 5""")
				.params(of)
				.update();
			hours(jdbc, of, "case when hour < 150 then array['1.4', '1.5'] else array['1.3', '1.4'] end");
		}
		hours(jdbc, List.of("type", "letter"), "array['1.4']");
		hours(jdbc, List.of("type", "orphan"), "array['1.2']");
		jdbc.sql(
				"""
						insert into rowqueue.gauge (seconds, name, queue, state, at, value, highest)
						select 60, name, queue, state, date_trunc('minute', now(), 'UTC') - minute * interval '1 minute', value + minute % 9,
							value + 3 + minute % 7
						from generate_series(-30, 1500) minute, (values ('workers', '', '', 2), ('jobs', '', 'queued', 100), ('jobs', 'default', 'queued', 40),
							('jobs', 'default', 'failed', 4000), ('jobs', '', 'failed', 9000), ('oldest.age', '', '', 61), ('dead.rows', '', '', 500),
							('horizon.age', '', '', 70), ('oldest.age', 'default', '', 30), ('type.oldest.age', 'default', 'work', 31),
							('type.oldest.age', 'mail', 'letter', 800)) measured (name, queue, state, value)
						where case when state = 'letter' then minute % 3 = 1 else minute % 17 <> 3 and (name <> 'oldest.age' or minute % 4 = 2) end""")
			.update();
		jdbc.sql(
				"""
						insert into rowqueue.gauge (seconds, name, queue, state, at, value, highest)
						select 3600, name, queue, state, date_trunc('hour', now(), 'UTC') - hour * interval '1 hour', value + hour % 9,
							value + 100 + hour % 7
						from generate_series(4, 2200) hour, (values ('workers', '', '', 2), ('jobs', '', 'queued', 100), ('jobs', 'default', 'queued', 40),
							('jobs', 'default', 'failed', 4000), ('oldest.age', '', '', 61), ('dead.rows', '', '', 500), ('horizon.age', '', '', 70),
							('oldest.age', 'default', '', 30)) measured (name, queue, state, value)
						where hour % 23 <> 11 and (name <> 'oldest.age' or hour % 4 = 2)""")
			.update();
		jdbc.sql("""
				insert into rowqueue.error_group (id, type, first_at, last_at, last_job, failures, sample)
				values (42, 'work', now() - interval '1 hour', now(), 7, 10, 'java.io.IOException: x')""").update();
		jdbc.sql("update rowqueue.job_failure set error_group = 42 where worker_id = 101").update();
		jdbc.sql(
				"""
						insert into rowqueue.tally (seconds, kind, name, at, version, failed)
						select 3600, 'error', '000000000000002a', date_trunc('hour', now(), 'UTC') - hour * interval '1 hour', '1.4', 3 + hour
						from generate_series(-2, 30) hour""")
			.update();
	}

	private static void hours(JdbcClient jdbc, List<String> of, String versions) {
		jdbc.sql(
				"""
						insert into rowqueue.tally (seconds, kind, name, at, version, enqueued, succeeded, retried, failed, cancelled, snoozed,
							waits, runs)
						select 3600, ?, ?, date_trunc('hour', now(), 'UTC') - hour * interval '1 hour', version, 700 + hour %% 5,
							4000 + hour %% 7, 900 + hour %% 11, 50 + hour %% 3, hour %% 2, 30,
							array[hour %% 50, 0, 40, 7, 0, 0, 0, 0, 0, hour %% 13], case version when '1.4' then array[0, 0, 0, 90, hour %% 9, 0, 4]
								else array[0, 0, 3, 0, 0, 0, 0, 80, 0, 0, 0, 6] end
						from generate_series(4, 2200) hour, unnest(%s) version where hour %% 29 <> 11"""
					.formatted(versions))
			.params(of)
			.update();
	}

	static class Handlers {

		@Bean
		JobHandlers.Registrar ofFlowsAndBatches() {
			return (handlers) -> handlers.add("work", Integer.class, (payload, context) -> {
			}).add("broken", Integer.class, (payload, context) -> {
				throw new IllegalStateException("broken");
			});
		}

	}

}
