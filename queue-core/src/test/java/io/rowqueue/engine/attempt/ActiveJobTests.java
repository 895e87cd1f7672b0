package io.rowqueue.engine.attempt;

import java.time.Duration;
import java.util.List;

import io.rowqueue.StopReason;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class ActiveJobTests {

	private final ActiveJob job = TestJobs.job(1);

	@AfterEach
	void clear() {
		Thread.interrupted();
	}

	@Test
	void aHeldJobIsInterruptedWhileItRuns() {
		this.job.begin();
		this.job.interrupt(StopReason.SHUTDOWN);
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		assertThat(this.job.context().stopRequested()).isTrue();
		this.job.end();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void aHeldJobIsInterruptedAsSoonAsItRuns() {
		this.job.interrupt(StopReason.LEASE_LOST);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		this.job.begin();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
	}

	@Test
	void aHeldJobIsNotInterruptedWhenItHasFinished() {
		this.job.begin();
		this.job.end();
		this.job.interrupt(StopReason.SHUTDOWN);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void aHeldJobIsRequestedToStopWithoutAnInterrupt() {
		this.job.begin();
		this.job.askToStop(StopReason.SHUTDOWN);
		assertThat(this.job.context().stopRequested()).isTrue();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void neverGetsALostLeaseBack() {
		this.job.interrupt(StopReason.LEASE_LOST);
		this.job.askToStop(StopReason.SHUTDOWN);
		this.job.interrupt(StopReason.SHUTDOWN);
		assertThat(this.job.stopReason()).isEqualTo(StopReason.LEASE_LOST);
	}

	@ParameterizedTest
	@EnumSource(names = { "CANCELLED", "LEASE_LOST", "WINDOW_CLOSED" })
	void aCallContinuesForItsOtherJobs(StopReason reason) {
		ActiveJob other = inACallWithTheJob();
		this.job.interrupt(reason);
		assertThat(this.job.stopReason()).isEqualTo(reason);
		assertThat(other.stopReason()).isNull();
		assertThat(Thread.currentThread().isInterrupted()).as("for one of two jobs").isFalse();
		other.interrupt(reason);
		assertThat(Thread.currentThread().isInterrupted()).as("for both").isTrue();
	}

	@ParameterizedTest
	@EnumSource(names = { "TIMED_OUT", "SHUTDOWN" })
	void aCallIsInterruptedForAReasonThatConcernsAllOfIt(StopReason reason) {
		inACallWithTheJob();
		this.job.interrupt(reason);
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
	}

	@Test
	void eachJobOfACallIsAskedToStopWhenTheTimeOfTheCallIsUp() {
		ActiveJob other = inACallWithTheJob();
		this.job.timeOut(Duration.ZERO);
		assertThat(this.job.stopReason()).isEqualTo(StopReason.TIMED_OUT);
		assertThat(other.stopReason()).isEqualTo(StopReason.TIMED_OUT);
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
	}

	@Test
	void aCallDoesNotContinueForAJobWhoseOutcomeIsDecided() {
		inACallWithTheJob().conclude();
		this.job.interrupt(StopReason.LEASE_LOST);
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
	}

	private ActiveJob inACallWithTheJob() {
		ActiveJob other = TestJobs.job(2);
		this.job.runTogether(List.of(this.job, other));
		this.job.begin();
		other.beginBeside();
		return other;
	}

	@Test
	void aHeldJobMustBeShownAsRunningUntilItWas() {
		this.job.begin();
		assertThat(this.job.mustBeMarkedRunning(Long.MAX_VALUE)).isFalse();
		assertThat(this.job.mustBeMarkedRunning(0)).isTrue();
		this.job.markedRunning();
		assertThat(this.job.mustBeMarkedRunning(0)).isFalse();
	}

}
