package io.rowqueue.engine.attempt;

import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;

import io.rowqueue.JobContext;
import io.rowqueue.JobLogger;
import io.rowqueue.StopReason;
import io.rowqueue.engine.codec.JsonTexts;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.step.JobOutcome;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

/** The context of a job's attempt, as handlers, listeners and interceptors see it. */
final class AttemptContext implements JobContext {

	private final ActiveJob job;

	private @Nullable Steps steps;

	private @Nullable JobQueries otherJobs;

	private @Nullable Waits waits;

	AttemptContext(ActiveJob job) {
		this.job = job;
	}

	/** Gives the handler, which is about to be called, access to the database. */
	void begin(Steps recorder, JobQueries others, @Nullable Waits known) {
		this.steps = recorder;
		this.otherJobs = others;
		this.waits = known;
	}

	@Override
	public long id() {
		return this.job.id();
	}

	@Override
	public String type() {
		return this.job.type();
	}

	@Override
	public String queue() {
		return this.job.queue();
	}

	@Override
	public int attempt() {
		return this.job.attempt();
	}

	@Override
	public int maxAttempts() {
		return this.job.maxAttempts();
	}

	@Override
	public Instant createdAt() {
		return claimed().enqueuedAt();
	}

	@Override
	public Instant runAt() {
		return claimed().dueAt();
	}

	@Override
	public int leaseToken() {
		return claimed().lease().token();
	}

	@Override
	public Map<String, String> headers() {
		return JsonTexts.read(claimed().headers());
	}

	@Override
	public @Nullable StopReason stopReason() {
		return this.job.stopReason();
	}

	@Override
	public void progress(long done, long total, @Nullable String message) {
		this.job.reports().progress(done, total, message);
	}

	@Override
	public JobLogger log() {
		return this.job.reports().begunLog();
	}

	@Override
	public @Nullable Object recordStep(String name, Callable<? extends @Nullable Object> work, Type type)
			throws Exception {
		return Objects.requireNonNull(this.steps, "the attempt has not begun").run(this.job, name, work, type);
	}

	@Override
	public <T> Optional<T> awaitSignal(String name, Class<T> type, Duration timeout) {
		return waits().receive(this.job, name, type, timeout);
	}

	@Override
	public <T> Optional<T> awaitSignal(String name, ParameterizedTypeReference<T> type, Duration timeout) {
		return waits().receive(this.job, name, type.getType(), timeout);
	}

	@Override
	public boolean awaitSignal(String name, Duration timeout) {
		return waits().receive(this.job, name, timeout);
	}

	@Override
	public void sleep(String name, Duration duration) {
		waits().sleep(this.job, name, duration);
	}

	@Override
	public List<JobOutcome> awaitJobs(String name, Duration timeout, long... ids) {
		return waits().awaitJobs(this.job, name, timeout, ids);
	}

	@Override
	public <T> Optional<T> resultOf(String name, Class<T> type) {
		return otherJobs().ofFlowJob(id(), name, type);
	}

	@Override
	public <T> Optional<T> resultOf(String name, ParameterizedTypeReference<T> type) {
		return otherJobs().ofFlowJob(id(), name, type.getType());
	}

	@Override
	public <T> Optional<T> resultOf(long jobId, Class<T> type) {
		return otherJobs().ofJob(jobId, type);
	}

	@Override
	public OptionalLong batchId() {
		return otherJobs().batchOf(id());
	}

	@Override
	public OptionalLong flowId() {
		return otherJobs().flowOf(id());
	}

	private ClaimedJob claimed() {
		return this.job.job();
	}

	private Waits waits() {
		Objects.requireNonNull(this.otherJobs, "the handler does not run");
		Waits known = this.waits;
		if (known == null) {
			throw new IllegalStateException(
					this.job + " cannot wait, because its handler is called for several jobs at once");
		}
		return known;
	}

	private JobQueries otherJobs() {
		return Objects.requireNonNull(this.otherJobs, "the handler does not run");
	}

	@Override
	public String toString() {
		return this.job.toString();
	}

}
