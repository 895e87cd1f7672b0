package io.rowqueue.lab.verify.verdict;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rowqueue.lab.verify.fault.FaultEvent;
import io.rowqueue.lab.verify.ledger.Entry;
import io.rowqueue.lab.verify.ledger.Event;
import io.rowqueue.lab.verify.load.Load;
import io.rowqueue.lab.verify.verdict.Finding.Kind;
import io.rowqueue.lab.verify.verdict.QueueRows.Row;
import io.rowqueue.lab.verify.worker.Reporter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

class JudgeTests {

	private static final long JOB = 42;

	private static final Duration LEASE = Duration.ofSeconds(5);

	private final List<Entry> entries = new ArrayList<>();

	private final List<FaultEvent> events = new ArrayList<>();

	private final List<Row> over = new ArrayList<>();

	private final List<Row> open = new ArrayList<>();

	private final List<Row> failures = new ArrayList<>();

	private final Map<Long, Integer> effects = new HashMap<>();

	private final Map<Long, Reporter> reporters = new HashMap<>();

	private final List<String> helped = new ArrayList<>();

	private Load load = new Load(0, 0, 0);

	private boolean broker;

	private long time;

	@Test
	void theJudgeFindsNothingInAJobThatRanOnce() {
		acknowledge();
		run("a", 1, 1, Event.ENDED);
		succeeded(1);
		Verdict verdict = judge();
		assertThat(verdict.findings()).isEmpty();
		assertThat(verdict.acknowledged()).isOne();
		assertThat(verdict.runs()).isOne();
	}

	@Test
	void aJobThatIsNowhereIsLost() {
		acknowledge();
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.LOST);
	}

	@Test
	void aJobThatStillWaitsAtTheEndIsLost() {
		acknowledge();
		this.open.add(new Row(JOB, "queued", 1, "null", ++this.time));
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.LOST);
	}

	@Test
	void aJobThatWasStoredWithoutAnAcknowledgementAndStillWaitsIsLost() {
		harm(null);
		enqueue(Event.UNKNOWN, 1, 1, 0);
		this.open.add(new Row(JOB, "queued", 1, "null", ++this.time));
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.LOST);
	}

	@Test
	void aSuccessThatNoHandlerReportedIsLostAndStale() {
		acknowledge();
		add(Event.BEGUN, "a", 1, 1);
		succeeded(1);
		assertThat(judge().findings()).extracting(Finding::kind).contains(Kind.LOST, Kind.STALE_ACCEPTED);
	}

	@Test
	void aJobThatRanAlthoughItWasRolledBackIsAGhost() {
		enqueue(Event.ROLLED_BACK, 1, 1, JOB);
		run("a", 1, 1, Event.ENDED);
		succeeded(1);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.GHOST);
	}

	@Test
	void aRunThatAKilledProcessDidNotEndIsExplainedByItsDeath() {
		acknowledge();
		add(Event.BEGUN, "a", 1, 1);
		harm("a");
		died(1);
		run("b", 2, 2, Event.ENDED);
		succeeded(2);
		Verdict verdict = judge();
		assertThat(verdict.findings()).isEmpty();
		assertThat(verdict.interrupted()).isOne();
		assertThat(verdict.staleRefused()).isZero();
		assertThat(verdict.recovery()).isNotNull();
	}

	@Test
	void aRunOfAWorkerThatWasDeclaredDeadWithoutAFaultIsUnexplained() {
		acknowledge();
		add(Event.BEGUN, "a", 1, 1);
		harm("c");
		died(1);
		run("b", 2, 2, Event.ENDED);
		succeeded(2);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.UNEXPLAINED);
	}

	@Test
	void aSecondRunThatTheQueueRecordedNoReasonForIsUnexplained() {
		acknowledge();
		run("a", 1, 1, Event.ENDED);
		harm("a");
		run("b", 2, 2, Event.ENDED);
		succeeded(2);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.UNEXPLAINED);
	}

	@Test
	void aFaultThatCameAfterTheSecondRunExplainsNothing() {
		acknowledge();
		add(Event.BEGUN, "a", 1, 1);
		died(1);
		run("b", 2, 2, Event.ENDED);
		harm("a");
		succeeded(2);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.UNEXPLAINED);
	}

	@Test
	void aRunThatWasNotSeenWhenItsProcessWasKilledHasUsedNoAttempt() {
		acknowledge();
		add(Event.BEGUN, "a", 1, 1);
		harm("a");
		run("b", 1, 2, Event.ENDED);
		succeeded(1);
		Verdict verdict = judge();
		assertThat(verdict.findings()).isEmpty();
		assertThat(verdict.interrupted()).isOne();
	}

	@Test
	void aRunThatWasTakenFromItsWorkerWithoutAFaultIsUnexplained() {
		acknowledge();
		add(Event.BEGUN, "a", 1, 1);
		run("b", 1, 2, Event.ENDED);
		succeeded(1);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.UNEXPLAINED);
	}

	@Test
	void aTransactionalHandlerThatLostTheDatabaseIsRetriedByRight() {
		this.effects.put(JOB, 1);
		acknowledge();
		harm(null);
		run("a", 1, 1, Event.CUT_OFF);
		failed(1);
		run("a", 2, 2, Event.ENDED); // and then its transaction could not be committed
		failed(2);
		run("a", 3, 3, Event.ENDED);
		succeeded(3);
		Verdict verdict = judge();
		assertThat(verdict.findings()).isEmpty();
		assertThat(verdict.interrupted()).isEqualTo(2);
		assertThat(verdict.onPurpose()).isZero();
	}

	@Test
	void aTransactionalHandlerThatLostTheDatabaseWithoutAFaultIsUnexplained() {
		this.effects.put(JOB, 1);
		acknowledge();
		run("a", 1, 1, Event.CUT_OFF);
		failed(1);
		run("a", 2, 2, Event.ENDED);
		succeeded(2);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.UNEXPLAINED);
	}

	@Test
	void anEffectThatIsMissingIsFound() {
		this.effects.put(JOB, 0);
		acknowledge();
		run("a", 1, 1, Event.ENDED);
		succeeded(1);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.EFFECT);
	}

	@Test
	void anEffectThatHappenedTwiceIsFound() {
		this.effects.put(JOB, 2);
		acknowledge();
		run("a", 1, 1, Event.ENDED);
		succeeded(1);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.EFFECT);
	}

	@Test
	void anEffectOfAJobThatIsNotOverIsFound() {
		this.effects.put(JOB, 1);
		acknowledge();
		this.open.add(new Row(JOB, "queued", 1, "null", ++this.time));
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.LOST, Kind.EFFECT);
	}

	@Test
	void aRunThatFailedOnPurposeIsRetriedByRight() {
		acknowledge();
		run("a", 1, 1, Event.FAILED);
		run("b", 2, 2, Event.ENDED);
		succeeded(2);
		Verdict verdict = judge();
		assertThat(verdict.findings()).isEmpty();
		assertThat(verdict.onPurpose()).isOne();
		assertThat(verdict.interrupted()).isZero();
	}

	@Test
	void anAttemptThatFailedOnPurposeTwiceIsUnexplained() {
		acknowledge();
		run("a", 1, 1, Event.FAILED);
		run("b", 1, 2, Event.FAILED);
		failed(1);
		run("a", 2, 3, Event.ENDED);
		succeeded(2);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.UNEXPLAINED);
	}

	@Test
	void anAttemptThatFailedOnPurposeInAProcessThatDiedIsRepeatedByRight() {
		acknowledge();
		run("a", 1, 1, Event.FAILED);
		harm("a");
		run("b", 1, 2, Event.FAILED);
		failed(1);
		run("b", 2, 3, Event.ENDED);
		succeeded(2);
		assertThat(judge().findings()).isEmpty();
	}

	@Test
	void aJobThatWasCancelledIsLostAlthoughItRan() {
		acknowledge();
		run("a", 1, 1, Event.ENDED);
		this.over.add(new Row(JOB, "cancelled", 1, "null", ++this.time));
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.LOST);
	}

	@Test
	void aHandlerThatFailedThoughItWasNotToIsUnexplained() {
		acknowledge();
		run("a", 1, 1, Event.BROKEN);
		failed(1);
		run("b", 2, 2, Event.ENDED);
		succeeded(2);
		Verdict verdict = judge();
		assertThat(verdict.findings()).extracting(Finding::kind).containsExactly(Kind.UNEXPLAINED);
		assertThat(verdict.onPurpose()).isZero();
	}

	@Test
	void aHandlerMayFailWhileTheDatabaseIsHarmed() {
		acknowledge();
		harm(null);
		run("a", 1, 1, Event.BROKEN);
		failed(1);
		healed(null);
		run("b", 2, 2, Event.ENDED);
		succeeded(2);
		Verdict verdict = judge();
		assertThat(verdict.findings()).isEmpty();
		assertThat(verdict.interrupted()).isOne();
	}

	@Test
	void aShutdownExplainsARunThatWasInterruptedAndHandedBack() {
		acknowledge();
		add(Event.BEGUN, "a", 1, 1);
		stop("a");
		add(Event.INTERRUPTED, "a", 1, 1);
		run("b", 1, 2, Event.ENDED);
		succeeded(1);
		assertThat(judge().findings()).isEmpty();
	}

	@Test
	void aShutdownIsNoReasonToBeDeclaredDead() {
		acknowledge();
		add(Event.BEGUN, "a", 1, 1);
		stop("a");
		died(1);
		run("b", 2, 2, Event.ENDED);
		succeeded(2);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.UNEXPLAINED);
	}

	@Test
	void aStaleSuccessThatWasRefusedIsCounted() {
		acknowledge();
		add(Event.BEGUN, "a", 1, 1);
		harm("a");
		died(1);
		run("b", 2, 2, Event.ENDED);
		add(Event.ENDED, "a", 1, 1);
		succeeded(2);
		Verdict verdict = judge();
		assertThat(verdict.findings()).isEmpty();
		assertThat(verdict.staleRefused()).isOne();
	}

	@Test
	void aRunThatAFrozenWorkerBeganTooLateIsCountedByItself() {
		acknowledge();
		harm("a");
		died(1);
		run("b", 2, 2, Event.ENDED);
		run("a", 1, 1, Event.ENDED);
		succeeded(2);
		Verdict verdict = judge();
		assertThat(verdict.findings()).isEmpty();
		assertThat(verdict.late()).isOne();
		assertThat(verdict.interrupted()).isZero();
		assertThat(verdict.staleRefused()).isOne();
	}

	@Test
	void aRunThatAFrozenWorkerBeganTooLateIsOneAlsoIfItsJobWasNotSeenToRunBefore() {
		acknowledge();
		harm("a");
		run("b", 1, 2, Event.ENDED);
		run("a", 1, 1, Event.ENDED);
		succeeded(1);
		Verdict verdict = judge();
		assertThat(verdict.findings()).isEmpty();
		assertThat(verdict.late()).isOne();
	}

	@Test
	void aHarmToTheDatabaseExplainsWhatItHitAndWhatTheWorkersTookForLostAfterwards() {
		acknowledge();
		harm(null);
		pass(Duration.ofMinutes(5));
		healed(null);
		pass(LEASE.plusSeconds(9));
		add(Event.BEGUN, "a", 1, 1);
		died(1);
		run("b", 2, 2, Event.ENDED);
		succeeded(2);
		assertThat(judge().findings()).isEmpty();
	}

	@Test
	void aHarmToTheDatabaseThatIsLongOverExplainsNothing() {
		acknowledge();
		harm(null);
		healed(null);
		pass(LEASE.plusSeconds(18));
		add(Event.BEGUN, "a", 1, 1);
		died(1);
		run("b", 2, 2, Event.ENDED);
		succeeded(2);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.UNEXPLAINED);
	}

	@Test
	void aHarmToTheDatabaseThatBeganWhenTheRunWasLongOverExplainsNothing() {
		acknowledge();
		run("a", 1, 1, Event.ENDED);
		pass(Duration.ofSeconds(6));
		harm(null);
		died(1);
		run("b", 2, 2, Event.ENDED);
		succeeded(2);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.UNEXPLAINED);
	}

	@Test
	void aHarmEndsWhenTheSameOneIsHealed() {
		acknowledge();
		harm("a");
		harm(null);
		healed("a");
		pass(LEASE.plusMinutes(5));
		add(Event.BEGUN, "a", 1, 1);
		died(1);
		run("b", 2, 2, Event.ENDED);
		healed(null);
		succeeded(2);
		assertThat(judge().findings()).isEmpty();
	}

	@Test
	void aWorkerThatWokeLongAgoBeginsNothingLate() {
		acknowledge();
		harm("a");
		healed("a");
		pass(Duration.ofSeconds(6));
		add(Event.BEGUN, "a", 1, 1);
		died(1);
		run("b", 2, 2, Event.ENDED);
		add(Event.ENDED, "a", 1, 1);
		succeeded(2);
		Verdict verdict = judge();
		assertThat(verdict.findings()).extracting(Finding::kind).containsExactly(Kind.UNEXPLAINED);
		assertThat(verdict.late()).isZero();
	}

	@Test
	void recoveryOfAWorkerIsNotCountedFromWhereItWoke() {
		acknowledge();
		harm("a");
		healed("a");
		pass(Duration.ofSeconds(6));
		run("b", 1, 1, Event.ENDED);
		succeeded(1);
		assertThat(judge().recovery()).isNull();
	}

	@Test
	void aShutdownThatCameAfterTheEndOfARunExplainsNothing() {
		acknowledge();
		run("a", 1, 1, Event.INTERRUPTED);
		stop("a");
		run("b", 1, 2, Event.ENDED);
		succeeded(1);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.UNEXPLAINED);
	}

	@Test
	void aStaleSuccessThatWasAcceptedIsFound() {
		acknowledge();
		add(Event.BEGUN, "a", 1, 1);
		harm("a");
		died(1);
		add(Event.BEGUN, "b", 2, 2);
		add(Event.ENDED, "a", 1, 1);
		succeeded(1);
		assertThat(judge().findings()).extracting(Finding::kind).contains(Kind.STALE_ACCEPTED);
	}

	@Test
	void aSuccessThatWasRecordedWhileTheHolderOfTheLeaseStillRanIsFound() {
		acknowledge();
		add(Event.BEGUN, "a", 1, 1);
		harm("a");
		died(1);
		add(Event.BEGUN, "b", 2, 2);
		add(Event.ENDED, "a", 1, 1);
		succeeded(2);
		this.time += 1_000_000_000;
		add(Event.ENDED, "b", 2, 2);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.STALE_ACCEPTED);
	}

	@Test
	void aStaleSuccessThatWasRecordedAsTheOtherAttemptsIsFound() {
		acknowledge();
		add(Event.BEGUN, "a", 1, 1);
		harm("a");
		died(1);
		add(Event.BEGUN, "b", 2, 2);
		add(Event.ENDED, "a", 1, 1);
		succeeded(2);
		assertThat(judge().findings()).extracting(Finding::kind).contains(Kind.STALE_ACCEPTED);
	}

	@Test
	void aStaleSuccessThatWasAcceptedJustWhenTheHolderCameToItsEndIsFound() {
		acknowledge();
		add(Event.BEGUN, "a", 1, 1);
		harm("a");
		died(1);
		add(Event.BEGUN, "b", 2, 2);
		add(Event.ENDED, "a", 1, 1);
		add(Event.ENDED, "b", 2, 2);
		succeeded(2);
		this.reporters.put(JOB, new Reporter("b", 2));
		assertThat(judge().findings()).isEmpty();
		this.reporters.put(JOB, new Reporter("a", 1));
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.STALE_ACCEPTED);
	}

	@Test
	void aJobThatFinishedTwiceIsFound() {
		acknowledge();
		run("a", 1, 1, Event.ENDED);
		succeeded(1);
		succeeded(1);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.STALE_ACCEPTED);
	}

	@Test
	void twoRunsUnderOneLeaseAreFound() {
		acknowledge();
		harm(null);
		died(1);
		run("a", 1, 1, Event.ENDED);
		run("b", 1, 1, Event.ENDED);
		succeeded(1);
		assertThat(judge().findings()).extracting(Finding::kind).contains(Kind.UNEXPLAINED);
	}

	@Test
	void anEnqueueThatIsStoredAsTwoJobsIsFound() {
		acknowledge();
		run(1, JOB);
		run(1, JOB + 1);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.STORED);
	}

	@Test
	void aJobThatWasNeverEnqueuedIsFound() {
		run(1, JOB);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.STORED);
	}

	@Test
	void aBatchOfWhichOnlyAPartIsStoredIsFound() {
		harm(null);
		enqueue(Event.UNKNOWN, 1, 1, 0);
		enqueue(Event.UNKNOWN, 2, 1, 0);
		run(2, JOB);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.STORED);
	}

	@Test
	void aBatchWhoseOutcomeIsNotKnownMayBeStoredOrNot() {
		harm(null);
		enqueue(Event.UNKNOWN, 1, 1, 0);
		enqueue(Event.UNKNOWN, 2, 1, 0);
		enqueue(Event.UNKNOWN, 3, 3, 0);
		enqueue(Event.UNKNOWN, 4, 3, 0);
		run(4, JOB);
		run(3, JOB + 1);
		assertThat(judge().findings()).isEmpty();
	}

	@Test
	void anEnqueueThatFailedWithoutAFaultIsFound() {
		harm("a");
		harm(null);
		healed(null);
		pass(Duration.ofSeconds(18));
		enqueue(Event.UNKNOWN, 1, 1, 0);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.REFUSED);
	}

	@Test
	void anEnqueueMayFailFromTheHarmUntilTheDatabaseHasSettled() {
		addEnqueue(Event.TRIED, 1, 1, 0);
		harm(null);
		addEnqueue(Event.UNKNOWN, 1, 1, 0);
		healed(null);
		pass(Duration.ofSeconds(16));
		enqueue(Event.UNKNOWN, 2, 2, 0);
		assertThat(judge().findings()).isEmpty();
	}

	@Test
	void aLoadThatWasNotThereIsFound() {
		load(Duration.ofSeconds(20), 2, 9);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.LOAD);
	}

	@Test
	void aLoadThatWasThereInPartIsEnough() {
		load(Duration.ofSeconds(20), 2, 10);
		assertThat(judge().findings()).isEmpty();
	}

	@Test
	void noLoadIsExpectedOfAHarmedDatabase() {
		harm(null);
		harm(null);
		pass(Duration.ofSeconds(5));
		healed(null);
		pass(Duration.ofSeconds(5));
		harm(null);
		load(Duration.ofSeconds(20), 2, 0);
		assertThat(judge().findings()).isEmpty();
	}

	@Test
	void theTimeInWhichTheDatabaseWasNotHarmedCounts() {
		load(Duration.ofSeconds(20), 2, 0);
		harm(null);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.LOAD);
	}

	@Test
	void aBrokerThatWasHarmedMayDeliverAJobTwice() {
		this.broker = true;
		acknowledge();
		run("a", 1, 1, Event.ENDED);
		harm(null);
		healed(null);
		run("b", 1, 1, Event.ENDED);
		succeeded(1);
		assertThat(judge().findings()).isEmpty();
	}

	@Test
	void aSecondDeliveryToTheSameProcessThatIsInterruptedTakesNothingFromTheFirst() {
		this.broker = true;
		acknowledge();
		run("a", 1, 1, Event.ENDED);
		harm(null);
		healed(null);
		run("a", 1, 1, Event.INTERRUPTED);
		succeeded(1);
		assertThat(judge().findings()).isEmpty();
	}

	@Test
	void aSecondDeliveryMayWaitInTheTopicForLongAfterTheHarm() {
		this.broker = true;
		acknowledge();
		harm(null);
		run("a", 1, 1, Event.ENDED);
		healed(null);
		pass(Duration.ofMinutes(5));
		run("b", 1, 1, Event.ENDED);
		succeeded(1);
		assertThat(judge().findings()).isEmpty();
	}

	@Test
	void aHarmAfterTheAcknowledgementWasStoredIsNoReasonForASecondDelivery() {
		this.broker = true;
		acknowledge();
		run("a", 1, 1, Event.ENDED);
		pass(Duration.ofMinutes(1));
		harm(null);
		healed(null);
		run("b", 1, 1, Event.ENDED);
		succeeded(1);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.UNEXPLAINED);
	}

	@Test
	void aSecondDeliveryMayComeAfterTheFirstWasParkedAndRan() {
		this.broker = true;
		acknowledge();
		harm(null);
		healed(null);
		run("a", 1, 2, Event.ENDED);
		pass(Duration.ofMinutes(5));
		run("b", 1, 1, Event.ENDED);
		succeeded(1);
		assertThat(judge().findings()).isEmpty();
	}

	@Test
	void aDeliveryAfterTheJobWasParkedAndRanNeedsAHarm() {
		this.broker = true;
		acknowledge();
		run("a", 1, 2, Event.ENDED);
		run("b", 1, 1, Event.ENDED);
		succeeded(1);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.UNEXPLAINED);
	}

	@Test
	void aBrokerThatWasNotHarmedMustNotDeliverAJobTwice() {
		this.broker = true;
		acknowledge();
		run("a", 1, 1, Event.ENDED);
		run("b", 1, 1, Event.ENDED);
		succeeded(1);
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.UNEXPLAINED);
	}

	@Test
	void helpIsAFinding() {
		this.helped.add("worker-1 had to be started again");
		assertThat(judge().findings()).extracting(Finding::kind).containsExactly(Kind.MANUAL);
	}

	/** Where each job were looked for among all entries, it would take for hours. */
	@Test
	@Timeout(120)
	void hundredsOfThousandsOfJobsCanBeJudged() {
		int jobs = 200_000;
		for (int number = 1; number <= jobs; number += 2) {
			enqueue(Event.ACKNOWLEDGED, number, number, number);
			this.open.add(new Row(number, "queued", 1, "null", ++this.time));
			enqueue(Event.ROLLED_BACK, number + 1, number + 1, number + 1);
			run(number + 1, number + 1);
		}
		assertThat(judge().findings()).hasSize(jobs)
			.filteredOn((finding) -> finding.kind() == Kind.LOST)
			.hasSize(jobs / 2);
	}

	private void acknowledge() {
		enqueue(Event.ACKNOWLEDGED, 1, 1, JOB);
	}

	private void enqueue(Event outcome, int number, int batch, long job) {
		addEnqueue(Event.TRIED, number, batch, 0);
		addEnqueue(outcome, number, batch, job);
	}

	private void addEnqueue(Event event, int number, int batch, long job) {
		this.entries.add(new Entry(++this.time, "producer", event, number, batch, job, 0, 0));
	}

	private void load(Duration duration, int rate, int jobs) {
		long begin = this.time;
		for (int number = 1; number <= jobs; number++) {
			enqueue(Event.ACKNOWLEDGED, number, number, JOB + number);
			run(number, JOB + number);
		}
		pass(duration);
		this.load = new Load(rate, begin, begin + duration.toNanos());
	}

	/** Another job runs and succeeds. */
	private void run(int number, long job) {
		this.entries.add(new Entry(++this.time, "a", Event.BEGUN, number, 0, job, 1, 1));
		this.entries.add(new Entry(++this.time, "a", Event.ENDED, number, 0, job, 1, 1));
		this.over.add(new Row(job, "succeeded", 1, "null", ++this.time));
	}

	private void run(String process, int attempt, int lease, Event end) {
		add(Event.BEGUN, process, attempt, lease);
		add(end, process, attempt, lease);
	}

	private void add(Event event, String process, int attempt, int lease) {
		this.entries.add(new Entry(++this.time, process, event, 1, 0, JOB, attempt, lease));
	}

	private void harm(String process) {
		this.events.add(new FaultEvent(++this.time, FaultEvent.Kind.HARM, process, "a fault"));
	}

	private void healed(String process) {
		this.events.add(new FaultEvent(++this.time, FaultEvent.Kind.HEALED, process, "no fault"));
	}

	private void pass(Duration duration) {
		this.time += duration.toNanos();
	}

	private void stop(String process) {
		this.events.add(new FaultEvent(++this.time, FaultEvent.Kind.STOP, process, "SIGTERM"));
	}

	private void died(int attempt) {
		this.failures.add(new Row(JOB, "failed", attempt, "worker 7 (host-1) died", ++this.time));
	}

	private void failed(int attempt) {
		this.failures.add(new Row(JOB, "failed", attempt, "the connection was closed", ++this.time));
	}

	private void succeeded(int attempt) {
		this.over.add(new Row(JOB, "succeeded", attempt, "null", ++this.time));
	}

	private Verdict judge() {
		return Judge.judge(new Evidence(this.entries, this.events,
				new QueueRows(this.over, this.open, this.failures, this.effects, this.reporters), this.helped, LEASE,
				this.load, this.broker));
	}

}
