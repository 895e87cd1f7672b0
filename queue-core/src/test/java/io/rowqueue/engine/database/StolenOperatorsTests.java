package io.rowqueue.engine.database;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A role may create operators in a schema of the search path of the application.
 * PostgreSQL prefers an operator that fits exactly to its own, and would run the function
 * of that role with the rights of the session.
 */
class StolenOperatorsTests {

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	/** For each pair of types for which PostgreSQL itself has none of that name. */
	@BeforeEach
	void steal() {
		this.engine.jdbc()
			.execute(
					"""
							do $do$ declare stolen record; begin
								for stolen in
									select l.oid::regtype as l, r.oid::regtype as r, o.name, 'f' || row_number() over () as f
									from pg_type l, pg_type r, unnest(array['+', '-', '*', '/', '%', '||', '=', '<>', '<', '<=', '>',
										'>=', '&']) as o (name)
									where l.typname in ('int2', 'int4', 'int8', 'numeric', 'float8', 'text', 'interval', 'timestamptz',
											'timestamp', 'date', 'json', 'jsonb', '_text', '_int8')
										and r.typname in ('int2', 'int4', 'int8', 'numeric', 'float8', 'text', 'interval', 'timestamptz',
											'timestamp', 'date', 'json', 'jsonb', '_text', '_int8')
										and l.typnamespace = 'pg_catalog'::regnamespace and r.typnamespace = 'pg_catalog'::regnamespace
										and not exists (select from pg_operator p where p.oprname = o.name and p.oprleft = l.oid
											and p.oprright = r.oid)
								loop
									execute format($$create function public.%I(%s, %s) returns %s language plpgsql as
										'begin raise exception ''stolen''; end'$$, stolen.f, stolen.l, stolen.r,
										case when stolen.name in ('=', '<>', '<', '<=', '>', '>=') then 'boolean'
											else stolen.r::text end);
									execute format('create operator public.%s (function = public.%I, leftarg = %s, rightarg = %s)',
										stolen.name, stolen.f, stolen.l, stolen.r);
								end loop;
							end $do$""");
	}

	@Test
	void nothingThatTheQueueDoesRunsThem() {
		assertThat(this.engine.number("select count(*) from pg_operator where oprnamespace = 'public'::regnamespace"))
			.isGreaterThan(1000);
		AtomicInteger attempts = new AtomicInteger();
		TestProcess process = this.engine.process()
			.withMaintenance()
			.application(this.engine.pool(2))
			.handle("test", (payload, context) -> {
				context.progress(1, 2, "half");
				if (attempts.incrementAndGet() == 1) {
					throw new IllegalStateException("once");
				}
			})
			.start();
		this.engine.jdbc()
			.update("insert into rowqueue.job_limit (kind, name, concurrency, rate, rate_period, burst, source)"
					+ " values ('queue', 'limited', 1, 100, '1 second', 100, 'admin')");
		long plain = process.queue().enqueue(JobRequest.of("test", "x").maxAttempts(5)).id();
		long later = process.queue().enqueue(JobRequest.of("test", "x").delay(Duration.ofMillis(300))).id();
		long keyed = process.queue()
			.enqueue(JobRequest.of("test", "x")
				.uniqueKey("key")
				.uniqueFor(Duration.ofDays(1))
				.tolerance(Duration.ofSeconds(1))
				.duplicates(DuplicatePolicy.replace()))
			.id();
		long limited = process.queue().enqueue(JobRequest.of("test", "x").queue("limited").limitKey("k:1")).id();
		long after = process.queue().enqueue(JobRequest.of("test", "x").after(plain, limited)).id();
		long many = process.queue()
			.enqueueAll(List.of(JobRequest.of("test", "y"), JobRequest.of("test", "z")))
			.get(1)
			.id();
		long sql = this.engine.number("select rowqueue.enqueue('test', '\"x\"')");
		for (long id : new long[] { plain, later, keyed, limited, after, many, sql }) {
			this.engine.awaitState(id, JobState.SUCCEEDED);
		}
	}

}
