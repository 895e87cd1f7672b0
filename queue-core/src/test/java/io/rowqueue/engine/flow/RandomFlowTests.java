package io.rowqueue.engine.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.JobContext;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.flow.Flow;
import io.rowqueue.flow.FlowResult;
import io.rowqueue.flow.WhenFailed;
import io.rowqueue.postgres.Dose;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.LeaseCheck;
import io.rowqueue.testing.ProcessHerd;
import io.rowqueue.testing.Referee;
import io.rowqueue.testing.Seed;
import io.rowqueue.testing.Stores;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Flows of random shape and policy, whose jobs succeed, fail, add others to their flow,
 * are cancelled and retried, while the processes that run them are stopped, killed and
 * given up. A trigger records each release and what had not ended by then, and another
 * one each job that is added to a flow, and whether the flow had ended.
 */
class RandomFlowTests {

	private static final int FLOWS = Dose.of(15, 60);

	private static final String WATCH = """
			create table edge (predecessor bigint, successor bigint, policy text, primary key (predecessor, successor));
			create table release (job_id bigint, too_early text);
			create function watch_release() returns trigger language plpgsql as $$
			begin
				if old.state = 'blocked' and new.state in ('queued', 'scheduled') then
					insert into public.release
					select new.id, string_agg(e.predecessor || ' is ' || j.state, ', ')
					from public.edge e join rowqueue.job j on j.id = e.predecessor
					where e.successor = new.id and e.policy <> 'run';
				end if;
				return null;
			end $$;
			create table addition (job_id bigint, too_late boolean);
			create function watch_addition() returns trigger language plpgsql as $$
			begin
				insert into public.addition
				select new.job_id, not exists (
					select from rowqueue.flow_job m where m.flow_id = new.flow_id and m.job_id = new.added_by and m.state is null);
				insert into public.edge
				select new.job_id, m.job_id, d.when_failed
				from rowqueue.flow_job m join rowqueue.job_dependency d on d.successor_id = m.job_id
				where m.flow_id = new.flow_id and m.name = any (new.before) and d.predecessor_id = new.added_by
				on conflict do nothing;
				return null;
			end $$;
			create trigger watch_addition after insert on rowqueue.flow_job
			for each row when (new.added_by is not null) execute function watch_addition();
			create trigger watch_release after update on rowqueue.job for each row execute function watch_release();
			""";

	private final long seed = Seed.of(this);

	private final Random random = new Random(this.seed);

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	private final JdbcTemplate jdbc = this.engine.jdbc();

	private final HikariDataSource effects = this.engine.pool(4);

	/** Takes part in the transactions of transactional handlers. */
	private final JobQueue growing = queue();

	private final AtomicInteger mended = new AtomicInteger();

	private final List<Long> jobs = new ArrayList<>();

	private final LeaseCheck leases = new LeaseCheck();

	private final ProcessHerd herd = new ProcessHerd(this.engine, this.random, 2,
			(process) -> process.application(this.effects)
				.handle("plain", this::run)
				.handleInTransaction("transactional", this::run));

	@Test
	void aRandomRunLosesNoSuccessorReleasesNoneTwiceAndNoneTooEarly() {
		Referee referee = new Referee(this.jdbc);
		this.jdbc.execute(WATCH);
		this.jdbc.execute("create table effect (job_id bigint primary key)");
		this.herd.start();
		for (int i = 0; i < FLOWS; i++) {
			enqueue(i);
			mishap();
		}
		this.herd.start();
		awaitRest();
		this.mended.set(1); // what failed was mended
		for (int i = 0; i < 5 && this.engine.jobs() > 0; i++) {
			this.engine.control().retryAll(null, null);
			awaitRest();
		}
		this.herd.stopAll();
		assertThat(referee.fouls()).as("seed %d", this.seed).isEmpty();
		assertThat(this.leases.violations()).as("seed %d", this.seed).isEmpty();
		assertThat(texts("select job_id || ': ' || too_early from release where too_early is not null"))
			.as("released too early, seed %d", this.seed)
			.isEmpty();
		assertThat(texts("select e.successor || ' after ' || e.predecessor from edge e"
				+ " join rowqueue.job_finished s on s.id = e.successor and s.state = 'succeeded'"
				+ " join rowqueue.job_finished p on p.id = e.predecessor and p.state = 'succeeded'"
				+ " where e.policy <> 'run' and s.leased_at < p.finished_at"))
			.as("claimed too early, seed %d", this.seed)
			.isEmpty();
		assertThat(texts("select id || ' is ' || state || ': ' || coalesce(last_error, '') from rowqueue.job"))
			.as("not over, seed %d", this.seed)
			.isEmpty();
		assertThat(this.engine.count("job_dependency")).as("seed %d", this.seed).isZero();
		assertThat(texts("select job_id::text from addition where too_late"))
			.as("added to a flow that had ended, seed %d", this.seed)
			.isEmpty();
		assertThat(texts("select flow_id || ': ' || count(*) from rowqueue.flow_job where added_by is not null"
				+ " group by flow_id, added_by having count(*) > 2"))
			.as("added twice, seed %d", this.seed)
			.isEmpty();
		assertThat(this.engine.finished()).as("seed %d", this.seed)
			.isEqualTo(this.jobs.size() + this.engine.number("select count(*) from addition"));
		assertThat(texts("select id::text from rowqueue.job_finished where state = 'succeeded'"
				+ " and not exists (select from effect where job_id = id)"))
			.as("succeeded without having run, seed %d", this.seed)
			.isEmpty();
		assertThat(texts(
				"select name || ' is ' || state from rowqueue.flows where state not in ('succeeded', 'cancelled')"))
			.as("seed %d", this.seed)
			.isEmpty();
	}

	/** A flow, and now and then a job after some of all jobs there were. */
	private void enqueue(int number) {
		Flow flow = Flow.named("flow " + number);
		int jobs = 1 + this.random.nextInt(12);
		for (int i = 0; i < jobs; i++) {
			flow.job("s" + i, request());
			for (int j = 0; j < i; j++) {
				if (this.random.nextInt(4) == 0) {
					flow.after("s" + j);
				}
			}
		}
		await().ignoreExceptions().until(() -> {
			FlowResult result = this.engine.queue().enqueue(flow);
			flow.jobs()
				.forEach((job) -> job.after()
					.forEach((before) -> edge(result.jobId(before), result.jobId(job.name()), job.request())));
			return this.jobs.addAll(result.jobs().values());
		});
		JobRequest late = request().after(any(), any());
		await().ignoreExceptions().until(() -> {
			long id = this.engine.enqueue(late);
			late.predecessors().ids().forEach((before) -> edge(before, id, late));
			return this.jobs.add(id);
		});
	}

	/** The trigger sees it only from then on, which is soon enough to catch most. */
	private void edge(long predecessor, long successor, JobRequest request) {
		this.jdbc.update("insert into edge values (?, ?, ?)", predecessor, successor,
				request.predecessors().whenFailed().label());
	}

	private JobRequest request() {
		return JobRequest
			.of(Seed.any(this.random, "plain", "plain", "transactional"),
					Seed.any(this.random, "work", "work", "work", "grow", "fail"))
			.whenFailed(Seed.any(this.random, WhenFailed.values()));
	}

	private long any() {
		return this.jobs.get(this.random.nextInt(this.jobs.size()));
	}

	private void mishap() {
		switch (this.random.nextInt(8)) {
			case 0 -> this.herd.start();
			case 1 -> this.herd.kill();
			case 2 -> this.engine.terminateAllSessions();
			case 3 -> this.herd.declareHalfDead();
			case 4 -> await().ignoreExceptions().until(() -> this.engine.control().cancel(any()) != null);
			case 5 -> await().ignoreExceptions().until(() -> this.engine.control().retry(any()) != null);
			default -> this.herd.startIfNone();
		}
	}

	private void run(String payload, JobContext context) {
		this.leases.run(context);
		new JdbcTemplate(this.effects).update("insert into effect values (?) on conflict do nothing", context.id());
		if ("grow".equals(payload)) {
			grow(context);
		}
		if ("fail".equals(payload) && this.mended.get() == 0) {
			throw new IllegalStateException("as planned");
		}
	}

	private JobQueue queue() {
		Stores stores = new Stores(new JdbcTemplate(this.effects), this.jdbc, SchemaName.DEFAULT, true);
		return stores.queue(this.effects, stores.wakeUps());
	}

	/** A second attempt adds nothing more: the names are the same. */
	private void grow(JobContext context) {
		if (context.flowId().isEmpty()) {
			return;
		}
		String name = "added by " + context.id();
		Flow addition = Flow.addedBy(context)
			.job(name + " first", JobRequest.of("plain", "work"))
			.job(name + " last", JobRequest.of("transactional", "work"))
			.after(name + " first");
		this.growing.enqueue((context.id() % 2 == 0) ? addition.beforeSuccessors() : addition);
	}

	/** Nothing runs or can, and what is blocked waits for one that failed. */
	private void awaitRest() {
		await("nothing runs, and nothing is stuck, seed " + this.seed).until(() -> {
			this.herd.recover();
			return this.engine.count("job j where state <> 'failed' and not (state = 'blocked'"
					+ " and exists (with recursive before as (select predecessor_id as id from rowqueue.job_dependency"
					+ " where successor_id = j.id union select d.predecessor_id from before b"
					+ " join rowqueue.job_dependency d on d.successor_id = b.id)"
					+ " select from before join rowqueue.job p using (id) where p.state = 'failed'))") == 0;
		});
	}

	private List<String> texts(String sql) {
		return this.jdbc.query(sql, (row, index) -> row.getString(1));
	}

}
