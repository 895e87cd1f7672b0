package io.rowqueue.engine.limit;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.control.Pause;
import io.rowqueue.engine.control.DefaultJobLimits;
import io.rowqueue.limit.Hold;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/** Queues, types and limit keys that are held for some time. */
class HoldTests {

	private static final Duration LONG = Duration.ofHours(1);

	@AutoClose
	private final Engine engine = new Engine();

	private final AtomicInteger calls = new AtomicInteger();

	@Test
	void aHandlerHoldsAllJobsOfItsType() {
		TestProcess process = process(LimitKind.TYPE, LONG).start();
		long first = this.engine.enqueue(JobRequest.of("call", "hold"));
		await().until(() -> !limits(process).holds().isEmpty());
		assertThat(limits(process).holds()).singleElement().satisfies((hold) -> {
			assertThat(hold.kind()).isEqualTo(LimitKind.TYPE);
			assertThat(hold.name()).isEqualTo("call");
			assertThat(hold.reason()).isEqualTo("429");
			assertThat(Duration.between(hold.heldAt(), hold.until())).isBetween(LONG.minusMinutes(1),
					LONG.plusMinutes(1));
		});
		await().until(() -> this.engine.job(first).state() == JobState.SCHEDULED);
		assertThat(this.engine.job(first).attempt()).as("it uses no attempt").isZero();
		long second = this.engine.enqueue(JobRequest.of("call", "fine"));
		this.engine.awaitState(this.engine.enqueue("other"), JobState.SUCCEEDED);
		assertThat(this.engine.control().pauses()).singleElement().extracting(Pause::opensAt).isNotNull();
		assertThat(this.engine.number("select count(*) from rowqueue.pauses where kind = 'type' and name = 'call'"
				+ " and cause = 'hold' and reason = '429' and until > clock_timestamp()"))
			.isOne();
		assertThat(this.calls.get()).isEqualTo(1);
		assertThat(limits(process).release(LimitKind.TYPE, "call")).isTrue();
		assertThat(limits(process).release(LimitKind.TYPE, "call")).isFalse();
		this.engine.awaitState(second, JobState.SUCCEEDED);
	}

	/** Such as the body of a response, which the handler passes on. */
	@Test
	void aReasonThatCannotBeStoredAsItIsCostsNoAttempt() {
		this.engine.process().handle("call", (payload, context) -> {
			throw SnoozeJobException.by(LONG, "429: \0" + "x".repeat(100_000)).holding(LimitKind.TYPE);
		}).start();
		long id = this.engine.enqueue("call");
		await().until(() -> this.engine.job(id).state() != JobState.QUEUED && this.engine.leased() == 0);
		assertThat(this.engine.job(id).state()).isEqualTo(JobState.SCHEDULED);
		assertThat(this.engine.failures(id)).isEmpty();
		assertThat(this.engine.holds().list()).singleElement()
			.extracting(Hold::reason)
			.asString()
			.startsWith("429: \uFFFDxxx")
			.hasSizeLessThan(1100);
	}

	@Test
	void aHoldEndsByItself() {
		TestProcess process = process(LimitKind.QUEUE, Duration.ofMillis(300)).start();
		limits(process).hold(LimitKind.QUEUE, "mail", Duration.ofMillis(300), null);
		long job = this.engine.enqueue(JobRequest.of("call", "fine").queue("mail"));
		this.engine.awaitState(job, JobState.SUCCEEDED);
		assertThat(this.engine
			.count("job_finished f join rowqueue.pause p" + " on f.leased_at < p.open_from where f.id = ?", job))
			.isZero();
		this.engine.admission().forgetOld();
		assertThat(this.engine.count("pause")).isZero();
	}

	@Test
	void aShorterHoldDoesNotEndALongerOne() {
		this.engine.holds().hold(LimitKind.TYPE, "call", LONG, "long");
		Instant until = this.engine.holds().list().get(0).until();
		this.engine.holds().hold(LimitKind.TYPE, "call", Duration.ofSeconds(1), "short");
		Hold hold = this.engine.holds().list().get(0);
		assertThat(hold.until()).isEqualTo(until);
		assertThat(hold.reason()).isEqualTo("long");
	}

	@Test
	void aHandlerHoldsItsLimitKey() {
		this.engine.limits().set(LimitKind.KEY, "customer", Limit.concurrency(2), true);
		TestProcess process = process(LimitKind.KEY, LONG).start();
		this.engine.enqueue(JobRequest.of("call", "hold").limitKey("customer:1"));
		await().until(() -> !limits(process).holds().isEmpty());
		long held = this.engine.enqueue(JobRequest.of("call", "fine").limitKey("customer:1"));
		long other = this.engine.enqueue(JobRequest.of("call", "fine").limitKey("customer:2"));
		this.engine.awaitState(other, JobState.SUCCEEDED);
		await().until(() -> this.engine.job(held).state() == JobState.BLOCKED);
		limits(process).release(LimitKind.KEY, "customer:1");
		this.engine.awaitState(held, JobState.SUCCEEDED);
	}

	@Test
	void aKeyCanHaveALimitOfItsOwn() {
		this.engine.limits().set(LimitKind.KEY, "customer", Limit.concurrency(1), true);
		this.engine.limits().set(LimitKind.KEY, "customer:large", Limit.concurrency(3), true);
		for (int i = 0; i < 5; i++) {
			this.engine.enqueue(JobRequest.of("call").limitKey("customer:large"));
			this.engine.enqueue(JobRequest.of("call").limitKey("customer:small"));
		}
		this.engine.admission().admitDue(true);
		assertThat(queued("customer:large")).isEqualTo(3);
		assertThat(queued("customer:small")).isEqualTo(1);
		assertThat(this.engine.limits().remove(LimitKind.KEY, "customer:large")).isTrue();
	}

	@Test
	void theTimeOfAHoldIsPositive() {
		JobLimits limits = new DefaultJobLimits(this.engine.queueDatabase(),
				process(LimitKind.TYPE, LONG).start().wakeUps());
		assertThatIllegalArgumentException().isThrownBy(() -> limits.hold(LimitKind.TYPE, "call", Duration.ZERO, null));
		assertThatIllegalArgumentException().isThrownBy(() -> limits.set(LimitKind.KEY, "fair", Limit.concurrency(1)))
			.withMessageContaining("fairness keys");
	}

	@Test
	void aFairnessKeyCannotBeHeld() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> limits(process(LimitKind.KEY, LONG).start()).hold(LimitKind.KEY, "fair:tenant:1",
					Duration.ofMinutes(1), null))
			.withMessageContaining("fairness key");
	}

	private long queued(String key) {
		return this.engine.count("job where limit_key = ? and state = 'queued'", key);
	}

	private JobLimits limits(TestProcess process) {
		return new DefaultJobLimits(this.engine.queueDatabase(), process.wakeUps());
	}

	private TestProcess.Builder process(LimitKind kind, Duration time) {
		return this.engine.process().withMaintenance().handle("other", (payload, context) -> {
		}).handle("call", (payload, context) -> {
			this.calls.incrementAndGet();
			if ("hold".equals(payload)) {
				throw SnoozeJobException.by(time, "429").holding(kind);
			}
		});
	}

}
