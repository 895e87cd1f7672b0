package io.rowqueue.schema;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.Flow;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.testing.Engine;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Processes of a release run on the schema of a later one, as in a rolling deployment. A
 * release may add parameters with defaults to functions, and columns with defaults to
 * tables; whatever else it changes gets another name.
 */
class OlderLibraryTests {

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	/** Everything that may be added is added, everywhere. */
	@BeforeEach
	void addToEveryFunctionAndTable() {
		this.engine.jdbc()
			.execute(
					"""
							do $$ declare each record; begin
								for each in select oid::regclass as name from pg_class
										where relnamespace = 'rowqueue'::regnamespace and relkind in ('r', 'p') and not relispartition loop
									execute format('alter table %s add newer int not null default 0', each.name);
								end loop;
								for each in select oid::regprocedure as name, pg_get_function_arguments(oid) as arguments,
											pg_get_functiondef(oid) as definition
										from pg_proc where pronamespace = 'rowqueue'::regnamespace and prokind = 'f'
											and prorettype <> 'trigger'::regtype and provariadic = 0 loop
									begin
										execute 'drop function ' || each.name;
									exception when dependent_objects_still_exist then
										continue;
									end;
									execute overlay(each.definition placing concat_ws(', ', nullif(each.arguments, ''), 'newer box default null')
										from position('(' in each.definition) + 1 for length(each.arguments));
								end loop;
							end $$""");
		assertThat(this.engine.number("select count(*) from pg_proc where 'newer' = any (proargnames)"))
			.as("changed functions")
			.isGreaterThan(40);
	}

	@Test
	void jobsAreEnqueuedRunAndChanged() {
		this.engine.limits().set(LimitKind.KEY, "customer", Limit.concurrency(1), true);
		long first = this.engine.enqueue(JobRequest.of("mail", "1").uniqueKey("mail 1").limitKey("customer:1"));
		assertThat(this.engine.queue()
			.enqueue(JobRequest.of("mail", "2").uniqueKey("mail 1").duplicates(DuplicatePolicy.replace()))
			.id()).isEqualTo(first);
		List<Long> limited = Stream.of("3", "4")
			.map((payload) -> this.engine.enqueue(JobRequest.of("mail", payload).limitKey("customer:1")))
			.toList();
		long bySql = this.engine.number("select rowqueue.enqueue('mail', '\"5\"')");
		long bulk = this.engine.queue().enqueueAll(Stream.of(JobRequest.of("mail", "6"), JobRequest.of("mail", "7")));
		long delayed = this.engine.enqueue(JobRequest.of("mail", "8").delay(Duration.ofHours(1)));
		long cancelled = this.engine.enqueue(JobRequest.of("mail", "9").delay(Duration.ofHours(1)));
		this.engine.control().reschedule(delayed, Duration.ZERO);
		this.engine.control().cancel(cancelled);
		this.engine.process().withMaintenance().handle("mail", (payload, context) -> {
		}).startAndListen();
		Stream.concat(Stream.of(first, bySql, delayed), limited.stream())
			.forEach((id) -> this.engine.awaitState(id, JobState.SUCCEEDED));
		this.engine.awaitAllOver();
		assertThat(this.engine.job(cancelled).state()).isEqualTo(JobState.CANCELLED);
		assertThat(this.engine.count("job_finished where state = 'succeeded'")).isEqualTo(bulk + 5);
	}

	@Test
	void jobsFailWaitAndFollowOthers() {
		AtomicBoolean snoozed = new AtomicBoolean();
		this.engine.process()
			.withMaintenance()
			.retry((attempt, error) -> Duration.ZERO)
			.handle("order", (payload, context) -> {
				context.step("reserve", () -> "reserved", String.class);
				context.awaitSignal("approval", String.class, Duration.ofHours(1));
			})
			.handle("unsteady", (payload, context) -> {
				if (context.attempt() == 1) {
					throw new IllegalStateException("the first attempt");
				}
			})
			.handle("broken", (payload, context) -> {
				throw new IllegalStateException("each attempt");
			})
			.handle("later", (payload, context) -> {
				if (snoozed.compareAndSet(false, true)) {
					throw SnoozeJobException.by(Duration.ZERO);
				}
			})
			.handle("next", (payload, context) -> {
			})
			.startAndListen();
		long order = this.engine.enqueue("order");
		long broken = this.engine.enqueue(JobRequest.of("broken").maxAttempts(2).onFailure(JobRequest.of("next")));
		this.engine.enqueue("later");
		this.engine.queue()
			.enqueue(Flow.named("two")
				.job("first", JobRequest.of("unsteady"))
				.job("second", JobRequest.of("next"))
				.after("first"));
		this.engine.queue()
			.enqueueBatch(Batch.named("batch").onFinish(JobRequest.of("next")), Stream.of(JobRequest.of("next")));
		await().until(() -> this.engine.count("job_wait where job_id = " + order) == 1);
		this.engine.queue().signal(order, "approval", "yes");
		this.engine.awaitAllOver();
		assertThat(this.engine.job(broken).state()).isEqualTo(JobState.FAILED);
		assertThat(this.engine.count("job_finished where state = 'succeeded'")).isEqualTo(7);
		this.engine.control().retry(broken);
		this.engine.awaitAllOver();
		assertThat(this.engine.failures(broken)).hasSizeGreaterThan(2);
	}

}
