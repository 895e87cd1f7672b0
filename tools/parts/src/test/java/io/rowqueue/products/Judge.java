package io.rowqueue.products;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rowqueue.products.Ledger.End;
import io.rowqueue.products.Ledger.Entry;
import io.rowqueue.products.Ledger.Fate;
import io.rowqueue.products.Ledger.Foul;
import io.rowqueue.products.Ledger.Run;
import io.rowqueue.testing.Engine;
import org.jspecify.annotations.Nullable;

/**
 * Compares what must be true at the end with what the databases say. Expects nothing of
 * the engine but its promises.
 */
final class Judge {

	private static final String ENDED = """
			select id, state::text, payload #>> '{}' as token, attempt, last_error from rowqueue.job_finished
			union all
			select id, state::text, payload #>> '{}', attempt, last_error from rowqueue.job where state = 'failed'""";

	private static final String EFFECTS = "select job_id || ' ' || token as job, count(*) as effects from public.effect"
			+ " group by 1";

	private static final String DESCRIBE = """
			select 'job' as table, to_json(j)::text as row from rowqueue.job j where id = ?
			union all select 'job_finished', to_json(j)::text from rowqueue.job_finished j where id = ?
			union all select 'job_follow_up', to_json(j)::text from rowqueue.job_follow_up j where id = ?
			union all select 'outbox', to_json(j)::text from rowqueue.outbox j where id = ?
			union all select 'shard_handover_row', relation || ' ' || content from rowqueue.shard_handover_row
				where content ->> 'id' = ?::text or content ->> 'job_id' = ?::text
			union all select 'job_failure', to_json(f)::text from rowqueue.job_failure f where job_id = ?
			union all select 'job_step', to_json(s)::text from rowqueue.job_step s where job_id = ?
			union all select 'job_wait', to_json(s)::text from rowqueue.job_wait s where job_id = ?
			union all select 'job_signal', to_json(s)::text from rowqueue.job_signal s where job_id = ?
			union all select 'worker of it', to_json(w)::text from rowqueue.job j join rowqueue.worker w on w.id = j.worker_id
				where j.id = ?
			union all select 'its batch', to_json(b)::text || ' ' || (
					select count(*) from rowqueue.batch_delta d where d.batch_id = b.id) || ' changes'
				from rowqueue.batch_callback c join rowqueue.batch b on b.id = c.batch_id where c.job_id = ?
			union all select 'what would release it, at ' || clock_timestamp(), to_json(t)::text from rowqueue.maintenance_task t
				where t.name = 'promote' and exists (select from rowqueue.job j where j.id = ? and j.state = 'blocked')""";

	private static final int PARAMETERS = 13;

	/** How often processes may die of a job before it fails. */
	private static final int MANY_DEATHS = 3;

	private final Ledger ledger;

	private final List<Engine> engines;

	private final Map<Long, List<Ended>> ended = new HashMap<>();

	private final Map<String, List<Ended>> byToken = new HashMap<>();

	private final Map<String, Long> effects = new HashMap<>();

	Judge(Ledger ledger, List<Engine> engines) {
		this.ledger = ledger;
		this.engines = engines;
	}

	/** Reads the databases, and notes what must not be. */
	void judge() {
		for (Engine engine : this.engines) {
			engine.jdbc().query(ENDED, (row) -> {
				Ended job = new Ended(row.getLong("id"), row.getString("state"), row.getString("token"),
						row.getString("last_error"));
				this.ended.computeIfAbsent(job.id, (id) -> new ArrayList<>()).add(job);
				this.byToken.computeIfAbsent(String.valueOf(job.token), (token) -> new ArrayList<>()).add(job);
			});
			engine.jdbc().query(EFFECTS, (row) -> {
				this.effects.merge(row.getString("job"), row.getLong("effects"), Long::sum);
			});
		}
		this.ledger.entries().forEach(this::judge);
		this.ended.values().stream().flatMap(List::stream).forEach(this::judge);
		this.ledger.ordered().forEach(this::judgeOrder);
	}

	private void judge(Entry entry) {
		if (entry.fate == Fate.ROLLED_BACK && entry.begun) {
			foul(entry.id, "It has run, although its transaction was rolled back: " + entry);
		}
		if (entry.fate != Fate.COMMITTED || !entry.created || isWaiting(entry)) {
			return;
		}
		List<Ended> jobs = (entry.id != 0) ? this.ended.getOrDefault(entry.id, List.of())
				: this.byToken.getOrDefault(entry.plan.token(), List.of());
		if (jobs.isEmpty()) {
			foul(entry.id, "Its enqueue was committed, and the job is nowhere: " + entry);
		}
		if (jobs.size() > 1) {
			foul(entry.id, "It is in two places: " + jobs);
		}
		this.ledger.runs(entry.id)
			.stream()
			.filter((run) -> run.begunAt > entry.heldFrom && run.begunAt < entry.heldTo && !run.mayBeLost())
			.forEach((run) -> foul(entry.id,
					"It has begun, although it was cancelled or postponed: %s, %s".formatted(run, entry)));
		if (entry.isCancelled() && !jobs.stream().allMatch((job) -> "cancelled".equals(job.state))) {
			foul(entry.id, "It has not ended as cancelled: %s, %s".formatted(jobs, entry));
		}
		if (entry.plan.is(Plan.Group.BATCH) && !entry.plan.token().isEmpty()
				&& !isWaiting("end of " + entry.plan.token())) {
			judgeOnce("end of " + entry.plan.token(), 1, entry);
		}
	}

	private boolean isWaiting(Entry entry) {
		return (entry.id != 0) ? this.engines.stream()
			.anyMatch((engine) -> engine.number(
					"select (select count(*) from rowqueue.job where id = ? and state <> 'failed') + (select count(*) from rowqueue.job_follow_up where id = ?)",
					entry.id, entry.id) > 0)
				&& !this.ended.containsKey(entry.id) : isWaiting(entry.plan.token());
	}

	private boolean isWaiting(String token) {
		return !this.byToken.containsKey(token)
				&& this.engines.stream()
					.anyMatch((engine) -> engine.number(
							"select count(*) from rowqueue.job where payload #>> '{}' = ? and state <> 'failed'",
							token) > 0);
	}

	/** A job that others have enqueued for this one runs once. */
	private void judgeOnce(String token, int expected, Entry entry) {
		Set<Long> ids = this.ledger.runs()
			.values()
			.stream()
			.flatMap(Collection::stream)
			.filter((run) -> run.token.equals(token))
			.map((run) -> run.jobId)
			.collect(Collectors.toCollection(TreeSet::new));
		this.byToken.getOrDefault(token, List.of()).forEach((job) -> ids.add(job.id));
		if (ids.size() != expected) {
			foul(entry.id, "%d jobs '%s' instead of %d: %s %s".formatted(ids.size(), token, expected, ids, entry));
		}
	}

	private void judge(Ended job) {
		Entry entry = this.ledger.entry(job.token);
		if (entry == null) {
			return; // it was enqueued by the end of another one, and has nothing that
					// could break
		}
		List<Run> runs = this.ledger.runs(job.id).stream().filter((run) -> run.token.equals(job.token)).toList();
		boolean failed = "failed".equals(job.state);
		switch (job.state) {
			case "succeeded" -> judgeSuccess(job, entry, runs);
			case "failed" -> judgeFailure(job, entry, runs);
			default -> judgeCancelled(job, entry, runs);
		}
		if (!isWaiting(entry.plan.onFailureToken()) && !entry.mayBeCancelled) {
			judgeOnce(entry.plan.onFailureToken(), (failed && entry.plan.is(Plan.OnFailure.JOB)) ? 1 : 0, entry);
		}
	}

	private void judgeSuccess(Ended job, Entry entry, List<Run> runs) {
		Plan plan = entry.plan;
		if (runs.stream().noneMatch((run) -> run.end == End.RETURNED)) {
			foul(job.id, "It has succeeded, although no handler has returned: " + entry);
		}
		long found = this.effects.getOrDefault(job.id + " " + job.token, 0L);
		boolean lost = plan.is(Plan.Fault.LEAVE_OPEN) && plan.is(Plan.Inside.NONE);
		if (found == 0 && !lost) {
			foul(job.id, "It has succeeded, and what its handler has written is not there: " + entry);
		}
		if (found > 1 && takesEffectOnce(plan)) {
			foul(job.id, "It has taken effect %d times: %s".formatted(found, entry));
		}
	}

	private static boolean takesEffectOnce(Plan plan) {
		boolean step = !plan.is(Plan.Work.EFFECT) && !plan.is(Plan.Work.SLEEP);
		return plan.is(Plan.Carrier.TABLE) && (plan.is(Plan.Inside.TRANSACTIONAL) || plan.is(Plan.Inside.OWN) && step);
	}

	private void judgeFailure(Ended job, Entry entry, List<Run> runs) {
		Plan plan = entry.plan;
		long threw = runs.stream().filter((run) -> run.end == End.THREW).count();
		long lost = runs.stream().filter((run) -> run.end != End.THREW && run.mayBeLost()).count();
		boolean died = String.valueOf(job.error).contains("died");
		boolean withOthers = entry.predecessors.stream()
			.anyMatch((before) -> before.id == 0 || this.ended.getOrDefault(before.id, List.of())
				.stream()
				.anyMatch((other) -> !"succeeded".equals(other.state)));
		if (threw + lost + (died ? 1 : 0) < plan.attempts() && lost < MANY_DEATHS && !withOthers
				&& !plan.is(Plan.Fault.LEAVE_OPEN)) {
			foul(job.id,
					"It has failed with '%s', although its handler has thrown %d exceptions, and may have lost %d leases, of %d attempts: %s"
						.formatted(String.valueOf(job.error).lines().findFirst().orElse(""), threw, lost,
								plan.attempts(), entry));
		}
		if (plan.is(Plan.Inside.TRANSACTIONAL) && plan.is(Plan.Carrier.TABLE)
				&& this.effects.containsKey(job.id + " " + job.token)) {
			foul(job.id, "It has failed, and its transaction has taken effect: " + entry);
		}
	}

	private void judgeCancelled(Ended job, Entry entry, List<Run> runs) {
		if (entry.mayBeCancelled) {
			return;
		}
		if (!entry.plan.is(Plan.Expiry.SOON)) {
			foul(job.id, "It was cancelled, although it does not expire: " + entry);
		}
		else if (runs.stream().anyMatch((run) -> !run.mayBeLost())) {
			foul(job.id, "It has expired, although it has begun: " + entry);
		}
	}

	/** Jobs of an ordered key begin in the order in which they were committed. */
	private void judgeOrder(String key, List<Entry> committed) {
		if (committed.stream().anyMatch((entry) -> entry.sharded && !entry.plan.isRouted())) {
			return;
		}
		Run before = null;
		for (Entry entry : committed) {
			Run first = this.ledger.runs(entry.id).stream().findFirst().orElse(null);
			if (first == null || first.mayBeLost()) {
				continue;
			}
			if (before != null && before.order > first.order) {
				foul(entry.id, "Of the ordered key '%s', it has begun before an older one: %s before %s".formatted(key,
						first, before));
			}
			else {
				before = first;
			}
		}
	}

	private void foul(long job, String message) {
		this.ledger.foul(job, message);
	}

	/** Says what is known of a job. */
	String describe(Foul foul) {
		String rows = this.engines.stream()
			.flatMap((engine) -> (foul.job() == 0) ? Stream.of()
					: engine.jdbc()
						.queryForList(DESCRIBE, Stream.generate(foul::job).limit(PARAMETERS).toArray())
						.stream()
						.map((row) -> "\n    database %d: %s".formatted(this.engines.indexOf(engine), row)))
			.collect(Collectors.joining());
		String runs = this.ledger.runs(foul.job())
			.stream()
			.map((run) -> "\n    run " + run)
			.collect(Collectors.joining());
		return "\n- job %d: %s%s%s".formatted(foul.job(), foul.message(), rows, runs);
	}

	/** A job that has ended. */
	private record Ended(long id, String state, @Nullable String token, @Nullable String error) {

	}

}
