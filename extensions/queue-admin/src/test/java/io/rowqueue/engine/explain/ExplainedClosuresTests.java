package io.rowqueue.engine.explain;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.admin.BoundedCount;
import io.rowqueue.admin.Explanation;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.JobDetails;
import io.rowqueue.admin.Verdict;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.filter.JobListState;
import io.rowqueue.engine.enqueue.DeclaredTypes;
import io.rowqueue.engine.enqueue.EnqueueHooks;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.engine.search.JobDetailsStatement;
import io.rowqueue.engine.search.JobSearchStore;
import io.rowqueue.engine.window.ClusterWindows;
import io.rowqueue.engine.window.WindowStore;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.listen.JobListener;
import io.rowqueue.masking.TextMasker;
import io.rowqueue.testing.Administration;
import io.rowqueue.testing.Engine;
import io.rowqueue.window.Window;
import io.rowqueue.window.WindowStatus;
import io.rowqueue.window.Windows;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What explain says of jobs whose window is closed, that are held, or whose handlers
 * wait.
 */
class ExplainedClosuresTests {

	private static final Duration LONG = Duration.ofHours(1);

	@AutoClose
	private final Engine engine = new Engine();

	private final JobAdmin admin = Administration.of(this.engine);

	private final WindowStore store = new WindowStore(this.engine.queueDatabase());

	private final Windows windows = new ClusterWindows(this.store);

	@Test
	void aClosedWindowIsExplained() {
		this.windows.put(closed().queues("reports"));
		this.engine.process().handle("report", (payload, context) -> {
		}).startAndListen();
		long id = this.engine.enqueue(JobRequest.of("report").queue("reports"));
		Explanation explanation = this.admin.explain(id);
		WindowStatus status = this.windows.find("night").orElseThrow();
		assertThat(explanation.verdict()).isEqualTo(Verdict.WINDOW_CLOSED);
		assertThat(explanation.summary()).contains("The queue 'reports'", "window 'night'",
				"opens at " + status.openFrom());
		assertThat(explanation.facts()).containsEntry("window", "night").containsEntry("opensAt", status.openFrom());
		open();
		assertThat(this.admin.explain(id).verdict()).isNotEqualTo(Verdict.WINDOW_CLOSED);
	}

	@Test
	void thePauseOfAQueueIsNamedBeforeItsClosedWindow() {
		this.windows.put(closed().queues("reports"));
		this.admin.pauseQueue("reports", "moving");
		long id = this.engine.enqueue(JobRequest.of("report").queue("reports"));
		assertThat(this.admin.explain(id).verdict()).isEqualTo(Verdict.QUEUE_PAUSED);
	}

	@Test
	void theClosedWindowOfATypeIsNamed() {
		this.windows.put(closed().types("rebuild"));
		this.engine.process().handle("rebuild", (payload, context) -> {
		}).startAndListen();
		assertThat(this.admin.explain(this.engine.enqueue("rebuild")).summary()).contains("The type 'rebuild'",
				"window 'night'");
	}

	@Test
	void aJobWithAWindowOfItsOwnIsNotDueBeforeItOpens() {
		this.windows.put(closed());
		EnqueueHooks hooks = new EnqueueHooks(List::of, () -> JobListener.NONE, DeclaredTypes.NONE, DirectStart.NONE,
				this.store);
		long id = this.engine.queue(hooks).enqueue(JobRequest.of("report").window("night")).id();
		assertThat(this.admin.explain(id).verdict()).isEqualTo(Verdict.NOT_DUE);
	}

	@Test
	void aHeldTypeSaysUntilWhenAndWhy() {
		hold(LimitKind.TYPE, JobRequest.of("call", "hold"));
		long held = this.engine.enqueue(JobRequest.of("call", "fine"));
		Explanation explanation = this.admin.explain(held);
		assertThat(explanation.verdict()).isEqualTo(Verdict.HELD);
		assertThat(explanation.summary()).contains("The type 'call' is held until ", ": 429.");
		assertThat(this.admin.explainAll(List.of(held), TextMasker.NONE).get(held).verdict()).isEqualTo(Verdict.HELD);
	}

	@Test
	void aHeldLimitKeyIsNotNamed() {
		this.engine.limits().set(LimitKind.KEY, "customer", Limit.concurrency(2), true);
		hold(LimitKind.KEY, JobRequest.of("call", "hold").limitKey("customer:1"));
		long held = this.engine.enqueue(JobRequest.of("call", "fine").limitKey("customer:1"));
		await().until(() -> this.engine.job(held).state() == JobState.BLOCKED);
		Explanation explanation = this.admin.explain(held);
		assertThat(explanation.verdict()).isEqualTo(Verdict.HELD);
		assertThat(explanation.summary()).contains("limit key is held until").doesNotContain("customer:1");
	}

	@Test
	void aJobThatWaitsForASignalNamesIt() {
		this.engine.process()
			.withMaintenance()
			.handle("order", (payload, context) -> context.awaitSignal("approval", LONG))
			.startAndListen();
		long id = this.engine.enqueue("order");
		await().until(() -> this.engine.job(id).state() == JobState.SCHEDULED);
		Explanation explanation = this.admin.explain(id);
		assertThat(explanation.verdict()).isEqualTo(Verdict.WAITS_FOR_SIGNAL);
		assertThat(explanation.summary()).contains("waits for the signal 'approval' until ", "at the latest");
		assertThat(this.admin.explainAll(List.of(id), TextMasker.NONE).get(id).verdict())
			.isEqualTo(Verdict.WAITS_FOR_SIGNAL);
		JobSearchStore search = new JobSearchStore(this.engine.queueDatabase());
		assertThat(search.count(JobFilter.builder().state(JobListState.WAITING).build()))
			.isEqualTo(new BoundedCount(1, true));
	}

	@Test
	void aJobWhoseHandlerWaitsForOthersNamesOne() {
		long[] children = { this.engine.enqueue(JobRequest.of("child").delay(LONG)),
				this.engine.enqueue(JobRequest.of("child").delay(LONG)) };
		this.engine.process()
			.withMaintenance()
			.handle("parent", (payload, context) -> context.awaitJobs("children", LONG, children))
			.startAndListen();
		long id = this.engine.enqueue("parent");
		await().until(() -> this.engine.job(id).state() == JobState.SCHEDULED);
		Explanation explanation = this.admin.explain(id);
		assertThat(explanation.verdict()).isEqualTo(Verdict.WAITS_FOR_JOBS);
		assertThat(explanation.summary())
			.isEqualTo("It waits for job " + children[0] + " (child, scheduled) and 1 other.");
		assertThat(explanation.facts()).containsEntry("waitsFor", "children").containsKey("waitsUntil");
		assertThat(this.admin.explainAll(List.of(id), TextMasker.NONE).get(id).summary())
			.isEqualTo(explanation.summary());
		JobDetails details = new JobDetailsStatement(this.engine.queueDatabase()).execute(id).orElseThrow();
		assertThat(details.after()).containsExactly(children[0], children[1]);
	}

	private void hold(LimitKind kind, JobRequest request) {
		this.engine.process().withMaintenance().handle("call", (payload, context) -> {
			if ("hold".equals(payload)) {
				throw SnoozeJobException.by(LONG, "429").holding(kind);
			}
		}).startAndListen();
		this.engine.enqueue(request);
		await().until(() -> !this.engine.holds().list().isEmpty());
	}

	/** One that opens in two hours by the database's clock, for an hour. */
	private Window closed() {
		Instant from = this.store.now().plus(Duration.ofHours(2));
		DateTimeFormatter minutes = DateTimeFormatter.ofPattern("HH:mm").withZone(ZoneOffset.UTC);
		return Window.of("night", "UTC", minutes.format(from) + "-" + minutes.format(from.plus(Duration.ofHours(1))));
	}

	/** Lets the window have opened an hour ago, and be open for another hour. */
	private void open() {
		for (String table : List.of("time_window", "pause")) {
			this.engine.jdbc()
				.update("update rowqueue." + table + " set open_from = clock_timestamp() - interval '1 hour',"
						+ " open_until = clock_timestamp() + interval '1 hour' where open_from is not null");
		}
	}

}
