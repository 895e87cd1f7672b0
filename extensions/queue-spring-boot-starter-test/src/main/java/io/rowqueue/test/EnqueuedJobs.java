package io.rowqueue.test;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import io.rowqueue.Job;
import io.rowqueue.JobLogLine;
import io.rowqueue.PayloadCodec;
import io.rowqueue.admin.JobDetails;
import io.rowqueue.autoconfigure.worker.InlineQueue;

/** The jobs that were enqueued after a certain time. */
final class EnqueuedJobs {

	private static final String LATEST = """
			select case when is_called then last_value else 0 end from {schema}.job_id_seq""";

	private static final String IDS = """
			select id from {schema}.job where id > ?
			union all select id from {schema}.job_follow_up where id > ?
			union all select id from {schema}.job_finished where id > ? order by id limit ?""";

	private static final String NOW = "select clock_timestamp()";

	/** A header decides when a job expires. */
	private static final String HEADERS = """
			case when %1$s.headers ->> 'expires-at' is null then %1$s.headers else jsonb_set(%1$s.headers::jsonb, '{expires-at}',
				to_jsonb(to_char(((%1$s.headers ->> 'expires-at')::timestamptz - step.time) at time zone 'UTC',
					'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')))::json end""";

	private static final String ADVANCE = """
			with step as (select ? * interval '1 microsecond' as time),
			expiry as (
				update {schema}.job_expiry e set expires_at = e.expires_at - step.time from step where e.job_id > ?),
			job as (
				update {schema}.job j
				set run_at = j.run_at - step.time, order_at = j.order_at - step.time, created_at = j.created_at - step.time,
					headers = %s, state = (case when j.state::text = 'blocked' then 'blocked' when j.run_at - step.time <= clock_timestamp() then 'queued' else 'scheduled'
						end)::{schema}.job_state
				from step where j.id > ? and j.state::text in ('scheduled', 'queued', 'blocked')),
			follow_up as (
				update {schema}.job_follow_up f set run_at = f.run_at - step.time, created_at = f.created_at - step.time,
					headers = %s
				from step where f.id > ?),
			wait as (
				update {schema}.job_wait w set began_at = w.began_at - step.time, until = w.until - step.time
				from step where w.job_id > ?),
			hold as (
				update {schema}.pause p set open_from = p.open_from - step.time from step where p.source = ':hold')
			update {schema}.taken_key t set taken_until = t.taken_until - step.time from step where t.job_id > ?"""
		.formatted(HEADERS.formatted("j"), HEADERS.formatted("f"));

	private static final List<String> CLEAR = List.of("delete from {schema}.job_follow_up where id > ?",
			"delete from {schema}.job where id > ? and worker_id is null",
			"delete from {schema}.job_finished where id > ?", "delete from {schema}.job_failure where job_id > ?",
			"delete from {schema}.job_expiry where job_id > ?", "delete from {schema}.job_tag where job_id > ?",
			"delete from {schema}.job_on_failure where job_id > ?",
			"delete from {schema}.job_progress where job_id > ?", "delete from {schema}.job_log where job_id > ?",
			"delete from {schema}.job_wait where job_id > ?", "delete from {schema}.job_signal where job_id > ?",
			"delete from {schema}.job_step where job_id > ?", "delete from {schema}.taken_key where job_id > ?",
			"delete from {schema}.job_dependency where successor_id > ?",
			"delete from {schema}.job_result where job_id > ?", "delete from {schema}.flow_job where job_id > ?",
			"delete from {schema}.flow f where ? >= 0 and not exists (select from {schema}.flow_job m where m.flow_id = f.id)",
			"delete from {schema}.pause where ? >= 0 and source = ':hold'");

	/** The maximum number of jobs in a message. */
	private static final int SHOWN = 20;

	/** The maximum number of jobs that are read, to bound the memory. */
	private static final int MAX_JOBS = 100_000;

	private final InlineQueue queue;

	private volatile long after;

	EnqueuedJobs(InlineQueue queue) {
		this.queue = queue;
	}

	/** Ids come from a sequence, which a rollback does not reset. */
	void begin() {
		this.after = latest();
	}

	/** Returns the id of the job that was enqueued last. */
	long latest() {
		return this.queue.jdbc().query(sql(LATEST), (row, index) -> row.getLong(1)).stream().findFirst().orElse(0L);
	}

	long after() {
		return this.after;
	}

	PayloadCodec codec() {
		return this.queue.codec();
	}

	List<Job> all() {
		return find(this.queue.jdbc()
			.query(sql(IDS), (row, index) -> row.getLong(1), this.after, this.after, this.after, MAX_JOBS));
	}

	List<Job> find(Collection<Long> ids) {
		return ids.stream().map(this.queue.store()::find).flatMap(Optional::stream).toList();
	}

	/** Returns all that is known of a job. */
	JobDetails details(Job job) {
		return this.queue.details().execute(job.id()).orElseThrow();
	}

	/** Returns what the handler of a job has logged. */
	List<JobLogLine> log(Job job) {
		return this.queue.logs().list(job.id());
	}

	/** Returns the time of the database's clock. */
	Instant now() {
		return this.queue.jdbc().query(NOW, (row, index) -> row.getObject(1, OffsetDateTime.class).toInstant()).get(0);
	}

	void advance(Duration time) {
		long micros = Math.addExact(Math.multiplyExact(time.getSeconds(), 1_000_000L), time.getNano() / 1000);
		this.queue.jdbc().update(sql(ADVANCE), micros, this.after, this.after, this.after, this.after, this.after);
	}

	void clear() {
		CLEAR.forEach((statement) -> this.queue.jdbc().update(sql(statement), this.after));
	}

	/** Describes the jobs for the message of an assertion. */
	String describe() {
		List<Job> jobs = all();
		if (jobs.isEmpty()) {
			return "Nothing was enqueued since the test began";
		}
		StringBuilder text = new StringBuilder("Enqueued since the test began:");
		jobs.stream().limit(SHOWN).forEach((job) -> text.append("\n  ").append(describe(job)));
		return (jobs.size() <= SHOWN) ? text.toString()
				: text.append("\n  and ").append(jobs.size() - SHOWN).append(" more").toString();
	}

	String describe(Job job) {
		String handler = this.queue.types().get().contains(job.type()) ? "" : ", no handler in this test";
		String error = (job.lastError() != null) ? ", last error: " + job.lastError().lines().findFirst().orElse("")
				: "";
		return "job %s (%s) %s on queue %s, attempt %s, due %s, payload %s%s%s".formatted(job.id(), job.type(),
				job.state(), job.queue(), job.attempt(), job.runAt(), job.payload(), handler, error);
	}

	private String sql(String statement) {
		return statement.replace("{schema}", this.queue.schema().quoted());
	}

}
