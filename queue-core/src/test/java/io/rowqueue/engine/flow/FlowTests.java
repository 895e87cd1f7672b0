package io.rowqueue.engine.flow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

import io.rowqueue.HandlerOptions;
import io.rowqueue.JobContext;
import io.rowqueue.JobHandlers.Registrar;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.flow.Flow;
import io.rowqueue.flow.FlowResult;
import io.rowqueue.flow.WhenFailed;
import io.rowqueue.postgres.Dose;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.core.ParameterizedTypeReference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Flows, run by workers. */
class FlowTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final List<String> ran = Collections.synchronizedList(new ArrayList<>());

	@Test
	void itsJobsRunAfterEachOther() {
		FlowResult flow = this.engine.queue()
			.enqueue(Flow.named("order")
				.job("ship", job("ship"))
				.after("pack", "invoice")
				.job("pack", job("pack"))
				.after("charge")
				.job("invoice", job("invoice"))
				.after("charge")
				.job("charge", job("charge")));
		this.engine.process().handle("test", this::note).start();
		this.engine.awaitState(flow.jobId("ship"), JobState.SUCCEEDED);
		assertThat(this.ran).hasSize(4).startsWith("charge").endsWith("ship");
	}

	@Test
	void eachIsClaimedAtOnceWhenTheOneBeforeItEnds() {
		this.engine.process().withoutPolling().handle("test", this::note).startAndListen();
		Flow flow = Flow.named("chain");
		for (int i = 0; i < 20; i++) {
			flow.job("s" + i, job("s" + i)).after((i > 0) ? new String[] { "s" + (i - 1) } : new String[0]);
		}
		FlowResult result = this.engine.queue().enqueue(flow);
		this.engine.awaitState(result.jobId("s19"), JobState.SUCCEEDED);
		assertThat(this.ran).isEqualTo(IntStream.range(0, 20).mapToObj((i) -> "s" + i).toList());
	}

	@Test
	void transactionalJobsReleaseTheirSuccessorsWithTheirCommit() {
		TestProcess process = this.engine.process()
			.withoutPolling()
			.handleInTransaction("test", this::note)
			.startAndListen();
		FlowResult flow = process.queue().enqueue(Flow.named("chain").job("a", job("a")).job("b", job("b")).after("a"));
		this.engine.awaitState(flow.jobId("b"), JobState.SUCCEEDED);
		assertThat(this.ran).containsExactly("a", "b");
	}

	@Test
	void aJobSeesWhatThoseBeforeItReturned() {
		HandlerOptions keeping = HandlerOptions.NONE.keepResult(true);
		Registrar registrar = (registry) -> {
			registry.addReturning("count", String.class, keeping, (payload, context) -> 20);
			registry.addReturning("sum", String.class, keeping,
					(payload, context) -> context.resultOf("one", Integer.class).orElseThrow()
							+ context.resultOf("two", int.class).orElseThrow()
							+ context.resultOf("none", Integer.class).orElse(2));
		};
		this.engine.process().register(registrar).start();
		FlowResult flow = this.engine.queue()
			.enqueue(Flow.named("sum")
				.job("one", JobRequest.of("count"))
				.job("two", JobRequest.of("count"))
				.job("none", JobRequest.of("nobody runs it"))
				.job("sum", JobRequest.of("sum"))
				.after("one", "two"));
		assertThat(this.engine.awaitState(flow.jobId("sum"), JobState.SUCCEEDED).result()).isEqualTo("42");
		long after = this.engine.queue().enqueue(JobRequest.of("twice").after(flow.jobId("sum"))).id();
		this.engine.process()
			.register((registry) -> registry.addReturning("twice", String.class, keeping,
					(payload, context) -> 2 * context.resultOf(flow.jobId("sum"), Integer.class).orElseThrow()))
			.start();
		assertThat(this.engine.awaitState(after, JobState.SUCCEEDED).result()).isEqualTo("84");
	}

	@Test
	void aResultMayBeOfAGenericType() {
		HandlerOptions keeping = HandlerOptions.NONE.keepResult(true);
		this.engine.process()
			.register((registry) -> registry
				.addReturning("numbers", String.class, keeping, (payload, context) -> List.of(20, 22))
				.addReturning("sum", String.class, keeping,
						(payload, context) -> context.resultOf("numbers", new ParameterizedTypeReference<List<Long>>() {
						}).orElseThrow().stream().mapToLong(Long::longValue).sum()))
			.start();
		FlowResult flow = this.engine.queue()
			.enqueue(Flow.named("sum")
				.job("numbers", JobRequest.of("numbers"))
				.job("sum", JobRequest.of("sum"))
				.after("numbers"));
		assertThat(this.engine.awaitState(flow.jobId("sum"), JobState.SUCCEEDED).result()).isEqualTo("42");
	}

	@Test
	void anUnknownJobHasNoResult() {
		this.engine.process()
			.maxAttempts(1)
			.handle("test", (payload, context) -> context.resultOf("nowhere", String.class))
			.start();
		long id = this.engine.enqueue("test");
		assertThat(this.engine.awaitState(id, JobState.FAILED).lastError()).contains("not in a flow", "nowhere")
			.startsWith("java.lang.IllegalArgumentException");
	}

	@Test
	void whatIsToBeDoneAnywayRunsAfterAFailure() {
		this.engine.process().maxAttempts(1).handle("test", this::note).handle("broken", (payload, context) -> {
			throw new IllegalStateException("as planned");
		}).start();
		FlowResult flow = this.engine.queue()
			.enqueue(Flow.named("import")
				.job("load", JobRequest.of("broken"))
				.job("index", job("index"))
				.after("load")
				.job("clean", job("clean").whenFailed(WhenFailed.RUN))
				.after("index"));
		this.engine.awaitState(flow.jobId("clean"), JobState.SUCCEEDED);
		assertThat(this.ran).containsExactly("clean");
		assertThat(this.engine.job(flow.jobId("index")).state()).isEqualTo(JobState.FAILED);
	}

	@Test
	void tenThousandThatFanOutAndInAgainRunOnce() {
		int children = Dose.of(300, 10_000);
		Flow flow = Flow.named("fan").job("first", job("first")).job("last", job("last"));
		String[] names = IntStream.range(0, children).mapToObj((i) -> "child " + i).toArray(String[]::new);
		flow.after(names);
		for (String name : names) {
			flow.job(name, JobRequest.of("child")).after("first");
		}
		FlowResult result = this.engine.queue().enqueue(flow);
		for (int i = 0; i < 3; i++) {
			this.engine.process().handle("test", this::note).handle("child", (payload, context) -> {
			}).start();
		}
		this.engine.awaitState(result.jobId("last"), JobState.SUCCEEDED);
		assertThat(this.ran).containsExactly("first", "last");
		assertThat(this.engine.finished()).isEqualTo(children + 2);
	}

	@Test
	void jobsThatWaitForEachOtherAreRefusedByName() {
		Flow flow = Flow.named("order")
			.job("start", job("start"))
			.job("charge", job("charge"))
			.after("start", "ship")
			.job("pack", job("pack"))
			.after("charge")
			.job("ship", job("ship"))
			.after("pack");
		assertThatIllegalArgumentException().isThrownBy(() -> this.engine.queue().enqueue(flow))
			.withMessage("jobs of flow 'order' wait for each other: charge after ship after pack after charge");
	}

	@Test
	void aJobAfterOneThatIsNotThereIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.engine.queue().enqueue(Flow.named("order").job("a", job("a")).after("x")))
			.withMessage("job 'a' of flow 'order' is to run after 'x', which it does not have; it has [a]");
	}

	@Test
	void twoJobsOfOneNameAreRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Flow.named("order").job("a", job("a")).job("a", job("a")));
		assertThatIllegalArgumentException().isThrownBy(() -> job("a").after(1).uniqueKey("key"));
	}

	@Test
	void oneThatCannotBeStoredLeavesNothingBehind() {
		Flow flow = Flow.named("order").job("a", job("a")).job("b", job("b").after(4711)).after("a");
		assertThatThrownBy(() -> this.engine.queue().enqueue(flow)).hasMessageContaining("4711");
		assertThat(
				this.engine.number("select (select count(*) from rowqueue.job) + (select count(*) from rowqueue.flow)"))
			.isZero();
	}

	private static JobRequest job(String payload) {
		return JobRequest.of("test", payload);
	}

	private void note(String payload, JobContext context) {
		this.ran.add(payload);
	}

}
