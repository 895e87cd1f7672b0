package io.rowqueue.engine.limit;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import io.rowqueue.JobContext;
import io.rowqueue.JobRequest;
import io.rowqueue.postgres.Dose;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.LeaseCheck;
import io.rowqueue.testing.ProcessHerd;
import io.rowqueue.testing.Seed;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tenants with fairness keys: two that flood the queue, and others with a few jobs each,
 * while processes start, stop, are killed and given up at random. A trigger records each
 * start, and how many jobs of the floods are ahead of a quiet tenant's job when it gets
 * its place.
 */
class RandomFairnessTests {

	private static final int ROUNDS = Dose.of(10, 30);

	private static final int FLOOD = 1500;

	private static final int HEAVY_WEIGHT = 3;

	/**
	 * For a weight of one, 100 jobs that claims may take before the new place, and one
	 * for each job of the quiet tenant that waits already; and what the processes have
	 * claimed and released.
	 */
	private static final int MAX_AHEAD = (HEAVY_WEIGHT + 1) * (100 + ROUNDS) + 500;

	/** A killed process uses up an attempt. */
	private static final int MAX_ATTEMPTS = 1000;

	private static final String LEDGER = """
			create table start (number bigint generated always as identity primary key, job_id bigint, limit_key text);
			create table placed (job_id bigint, ahead bigint, after_start bigint);
			create function keep_ledger() returns trigger language plpgsql as $$
			begin
				if old.worker_id is null and new.worker_id is not null then
					insert into public.start (job_id, limit_key) values (new.id, new.limit_key);
				elsif old.state = 'scheduled' and new.state = 'queued' and new.lease = 0
					and new.limit_key like 'fair:quiet%'
				then
					insert into public.placed select new.id, (
						select count(*) from rowqueue.job j
						where j.indexed_state = 'queued' and j.worker_id is null and j.limit_key like 'fair:flood%'
							and (j.order_at, j.id) < (new.order_at, new.id)),
						(select coalesce(max(s.number), 0) from public.start s);
				end if;
				return null;
			end $$;
			create trigger keep_ledger after update on rowqueue.job for each row execute function keep_ledger();
			""";

	/** Of each job of a quiet tenant, from its place to its first start. */
	private static final String STARTS_IN_BETWEEN = """
			select (select count(*) from start s where s.limit_key like 'fair:flood%' and s.number > p.after_start
				and s.number < (select min(f.number) from start f where f.job_id = p.job_id)) as starts
			from placed p order by starts""";

	private final long seed = Seed.of(this);

	private final Random random = new Random(this.seed);

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	private final JdbcTemplate jdbc = this.engine.jdbc();

	private final LeaseCheck leases = new LeaseCheck();

	private final ProcessHerd herd = new ProcessHerd(this.engine, this.random, MAX_ATTEMPTS,
			(process) -> process.retry((job, error) -> Duration.ofMillis(1)).handle("export", this::run));

	@Test
	void aFloodDelaysNoQuietTenantAndNothingIsLost() {
		this.jdbc.execute(LEDGER);
		this.engine.weights().set("flood a", HEAVY_WEIGHT);
		int jobs = 0;
		for (int round = 0; round < ROUNDS; round++) {
			if (round % 10 == 0) {
				jobs += enqueue("flood a", FLOOD) + enqueue("flood b", FLOOD / 2);
			}
			jobs += enqueue("quiet " + this.random.nextInt(5), 1 + this.random.nextInt(3));
			mishap();
		}
		this.herd.start();
		this.engine.awaitAllOver(this.seed, this.herd::recover);
		this.herd.stopAll();
		assertThat(this.leases.violations()).as("seed %d", this.seed).isEmpty();
		assertThat(this.engine.jobs()).as("failed jobs, with the seed %d", this.seed).isZero();
		assertThat(this.engine.finished()).as("seed %d", this.seed).isEqualTo(jobs);
		assertThat(this.jdbc.queryForList("select ahead from placed", Integer.class))
			.as("jobs of the floods ahead of one of a quiet tenant, with the seed %d", this.seed)
			.isNotEmpty()
			.allMatch((ahead) -> ahead <= MAX_AHEAD);
		List<Integer> between = this.jdbc.queryForList(STARTS_IN_BETWEEN, Integer.class);
		assertThat(between.get(between.size() / 2))
			.as("starts of the floods while a quiet tenant waited, with the seed %d: %s", this.seed, between)
			.isLessThanOrEqualTo(MAX_AHEAD);
	}

	private int enqueue(String tenant, int jobs) {
		List<JobRequest> requests = Collections.nCopies(jobs, JobRequest.of("export").fairnessKey(tenant));
		await().ignoreExceptions().until(() -> this.engine.queue().enqueueAll(requests).size() == jobs);
		return jobs;
	}

	private void run(String payload, JobContext context) {
		this.leases.run(context);
		if ((context.id() + context.leaseToken()) % 13 == 3) {
			throw new IllegalStateException("as planned");
		}
	}

	private void mishap() {
		switch (this.random.nextInt(12)) {
			case 0 -> this.herd.stop();
			case 1 -> this.herd.start();
			case 2 -> this.herd.kill();
			case 3 -> this.engine.terminateAllSessions();
			case 4 -> this.herd.declareHalfDead();
			case 5 -> this.herd.recover();
			default -> this.herd.startIfNone();
		}
	}

}
