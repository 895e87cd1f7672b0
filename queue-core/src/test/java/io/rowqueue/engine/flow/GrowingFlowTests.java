package io.rowqueue.engine.flow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.HandlerOptions;
import io.rowqueue.JobContext;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.flow.Flow;
import io.rowqueue.flow.FlowResult;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestProcess;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Flows whose jobs add others, run by workers. */
class GrowingFlowTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final List<String> ran = Collections.synchronizedList(new ArrayList<>());

	private volatile @Nullable JobQueue queue;

	@Test
	void aTreeThatGrowsFromItsRootEndsBeforeWhatRunsAfterIt() {
		TestProcess process = this.engine.process()
			.withoutPolling()
			.handleInTransaction("grow", this::grow)
			.handle("note", this::note)
			.startAndListen();
		this.queue = process.queue();
		FlowResult flow = process.queue()
			.enqueue(Flow.named("tree")
				.job("root", JobRequest.of("grow", "root"))
				.job("end", JobRequest.of("note", "end"))
				.after("root"));
		this.engine.awaitState(flow.jobId("end"), JobState.SUCCEEDED);
		assertThat(this.ran).hasSize(1 + 3 + 9 + 1).endsWith("end");
		assertThat(this.engine.number("select jobs from rowqueue.flows where state = 'succeeded'")).isEqualTo(14);
	}

	@Test
	void anAttemptThatFailsAfterItHasAddedJobsAddsThemOnce() {
		AtomicInteger attempts = new AtomicInteger();
		this.engine.process().retry((job, error) -> Duration.ZERO).handle("list", (payload, context) -> {
			this.engine.queue().enqueue(Flow.addedBy(context).job("page", JobRequest.of("note", "page")).before("end"));
			if (attempts.incrementAndGet() < 3) {
				throw new IllegalStateException("as planned");
			}
		}).handle("note", this::note).start();
		FlowResult flow = this.engine.queue()
			.enqueue(Flow.named("list")
				.job("list", JobRequest.of("list"))
				.job("end", JobRequest.of("note", "end"))
				.after("list"));
		this.engine.awaitState(flow.jobId("end"), JobState.SUCCEEDED);
		assertThat(this.ran).containsExactly("page", "end");
	}

	@Test
	void anAdditionThatIsRolledBackNeverExisted() {
		TestProcess process = this.engine.process().maxAttempts(1).handleInTransaction("list", (payload, context) -> {
			Objects.requireNonNull(this.queue).enqueue(Flow.addedBy(context).job("page", JobRequest.of("note")));
			throw new IllegalStateException("as planned");
		}).start();
		this.queue = process.queue();
		FlowResult flow = this.engine.queue().enqueue(Flow.named("list").job("list", JobRequest.of("list")));
		this.engine.awaitState(flow.jobId("list"), JobState.FAILED);
		assertThat(this.engine.count("flow_job")).isOne();
	}

	@Test
	void aHandlerKnowsItsFlowAndTheResultsOfWhatItHasAdded() {
		this.engine.process().register((registry) -> {
			registry.addReturning("one", String.class, HandlerOptions.NONE.keepResult(true), (payload, context) -> 1);
			registry.add("list", String.class, HandlerOptions.NONE, (payload, context) -> {
				FlowResult added = this.engine.queue()
					.enqueue(Flow.addedBy(context).job("one", JobRequest.of("one")).beforeSuccessors());
				this.ran.add(added.id() + " " + context.flowId().orElseThrow());
			});
			registry.add("end", String.class, HandlerOptions.NONE,
					(payload, context) -> this.ran.add("" + context.resultOf("one", Integer.class).orElseThrow()));
		}).start();
		FlowResult flow = this.engine.queue()
			.enqueue(Flow.named("sum")
				.job("list", JobRequest.of("list"))
				.job("end", JobRequest.of("end"))
				.after("list"));
		this.engine.awaitState(flow.jobId("end"), JobState.SUCCEEDED);
		assertThat(this.ran).containsExactly(flow.id() + " " + flow.id(), "1");
	}

	@Test
	void onlyAnAdditionRunsBeforeJobsThatThereAreAlready() {
		Flow flow = Flow.named("new").job("a", JobRequest.of("note"));
		assertThatIllegalArgumentException().isThrownBy(() -> flow.before("b"));
		assertThatIllegalArgumentException().isThrownBy(flow::beforeSuccessors);
	}

	/** Three children, and three of each of these. */
	private void grow(String payload, JobContext context) {
		this.ran.add(payload);
		if (payload.split("/").length < 3) {
			Flow children = Flow.addedBy(context).beforeSuccessors();
			for (int i = 0; i < 3; i++) {
				children.job(payload + "/" + i, JobRequest.of("grow", payload + "/" + i));
			}
			Objects.requireNonNull(this.queue).enqueue(children);
		}
	}

	private void note(String payload, JobContext context) {
		this.ran.add(payload);
	}

}
