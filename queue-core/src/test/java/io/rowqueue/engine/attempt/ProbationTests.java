package io.rowqueue.engine.attempt;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

import io.rowqueue.HandlerOptions;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.RetryPolicy;
import io.rowqueue.StopReason;
import io.rowqueue.engine.job.JobWindows;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.listen.JobListener;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Jobs that ran when a process died, and may be the reason for it. */
class ProbationTests {

	@RegisterExtension
	private static final StoreDatabase database = new StoreDatabase();

	private final long worker = database.worker();

	private final AttemptGate gate = new AttemptGate(new Judge(new Retries(RetryPolicy.DEFAULT), JobListener.NONE),
			database.queueDatabase(), JobWindows.NONE, DataSize.ofMegabytes(1), this.worker, () -> true);

	private final List<AttemptOutcome> instead = new ArrayList<>();

	@Test
	void aJobWhoseProcessHasDiedBeginsWhenTheOneBeforeItHasEnded() throws Exception {
		ActiveJob first = suspect();
		ActiveJob second = suspect();
		assertThat(admit(first)).isTrue();
		InAThread begins = new InAThread(second);
		begins.awaitWaiting();
		assertThat(database.state(first.id())).isEqualTo(JobState.RUNNING);
		assertThat(database.state(second.id())).as("it is not blamed if the first one kills the process")
			.isEqualTo(JobState.STARTING);
		this.gate.ended(List.of(first));
		assertThat(begins.result()).isTrue();
		assertThat(database.state(second.id())).isEqualTo(JobState.RUNNING);
	}

	@Test
	void otherJobsBeginBesideIt() {
		ActiveJob first = suspect();
		ActiveJob retried = claimed("attempt = 1");
		ActiveJob fresh = claimed("attempt = 0");
		assertThat(admit(first)).isTrue();
		assertThat(admit(retried)).isTrue();
		assertThat(admit(fresh)).isTrue();
	}

	@Test
	void jobsOfOneCallBeginTogether() {
		assertThat(this.gate.admit(List.of(suspect(), suspect()), this.instead::add)).hasSize(2);
	}

	@Test
	void aWaitingJobThatIsToStopIsReleased() throws Exception {
		ActiveJob second = suspect();
		assertThat(admit(suspect())).isTrue();
		InAThread begins = new InAThread(second);
		begins.awaitWaiting();
		second.interrupt(StopReason.SHUTDOWN);
		assertThat(begins.result()).isFalse();
		assertThat(this.instead).containsExactly(new AttemptOutcome.Released(second));
	}

	@Test
	void aLongJobKeepsTheOthersWaitingForAWhileOnly() throws Exception {
		Probation probation = new Probation(Duration.ZERO);
		assertThat(probation.begin(TestJobs.job(1))).isTrue();
		Future<Boolean> other = database.async(() -> probation.begin(TestJobs.job(2)));
		assertThat(StoreDatabase.result(other)).isTrue();
	}

	private boolean admit(ActiveJob job) {
		return !this.gate.admit(job.together(), this.instead::add).isEmpty();
	}

	/** A leased job that was seen to run when a process died. */
	private ActiveJob suspect() {
		return claimed("attempt = 1, deaths = 1");
	}

	private ActiveJob claimed(String columns) {
		long id = database.enqueue(JobRequest.of("type"));
		database.execute("update rowqueue.job set " + columns + ", lease = 1 where id = " + id);
		ClaimedJob job = database.claimOne(this.worker);
		assertThat(job.lease().jobId()).isEqualTo(id);
		return new ActiveJob(job, HandlerOptions.NONE.maxAttempts(10), 0);
	}

	/** A slot in which a job is to begin. */
	private final class InAThread {

		private final FutureTask<Boolean> task;

		private final Thread thread;

		InAThread(ActiveJob job) {
			this.task = new FutureTask<>(() -> admit(job));
			this.thread = new Thread(this.task);
			this.thread.start();
		}

		void awaitWaiting() {
			await().until(() -> this.task.isDone() || (this.thread.getState() == Thread.State.TIMED_WAITING));
			assertThat(this.task.isDone()).as("it has begun").isFalse();
		}

		boolean result() throws Exception {
			return this.task.get();
		}

	}

}
