package io.rowqueue.engine.maintenance;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.database.WhenDue;
import io.rowqueue.engine.maintenance.MaintenanceStore.TasksTaken;
import io.rowqueue.engine.recovery.RecoveryStore;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** How processes share the tasks that keep the queue in order. */
class TakeTests {

	private static final String TURN = "rowqueue-maintenance";

	private static final Duration HOUR = Duration.ofHours(1);

	private static final Duration LONGEST = Duration.ofMinutes(1);

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final MaintenanceStore maintenance = database.maintenance();

	@BeforeEach
	void addTasks() {
		this.maintenance.add(Set.of(TURN, "a", "b"));
		database.update("update {schema}.maintenance_task set next_run_at = now()");
	}

	@Test
	void eachTaskIsTakenOnceInItsInterval() {
		assertThat(take(always("a"), always("b")).names()).containsExactlyInAnyOrder("a", "b");
		passTurn();
		assertThat(take(always("a"), always("b")).names()).isEmpty();
		database.update("update {schema}.maintenance_task set next_run_at = now() where name in ('a', '" + TURN + "')");
		assertThat(take(always("a"), always("b")).names()).containsExactly("a");
	}

	@Test
	void aProcessThatDidNotTakeTheTasksReadsAgainAMomentLater() {
		Duration first = take(when("a", "'infinity'::timestamptz")).pause();
		assertThat(first).isBetween(LONGEST.dividedBy(2), LONGEST);
		TasksTaken second = take(always("a"));
		assertThat(second.names()).isEmpty();
		assertThat(second.pause()).isGreaterThan(first.dividedBy(2))
			.isLessThan(LONGEST.plus(TakeStatement.OTHERS_LOOK_AFTER));
	}

	@Test
	void aTaskWithNothingToDoIsLeftAloneAndOneThatInsistsIsNot() {
		assertThat(take(when("a", "null")).names()).isEmpty();
		passTurn();
		assertThat(
				take(when("a", "clock_timestamp() + interval '1 hour'"), when("b", "'-infinity'::timestamptz")).names())
			.containsExactly("b");
		passTurn();
		assertThat(take(new TaskOffer("a", HOUR, new WhenDue("null"), true)).names()).containsExactly("a");
	}

	@Test
	void theNextLookIsWhenTheFirstTaskIsDue() {
		TasksTaken taken = take(when("a", "clock_timestamp() + interval '10 seconds'"),
				when("b", "clock_timestamp() + interval '20 seconds'"));
		assertThat(taken.pause()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
	}

	@Test
	void whatWasTakenIsLookedAtAgainAfterItsInterval() {
		TasksTaken taken = take(new TaskOffer("a", Duration.ofSeconds(10), null, false));
		assertThat(taken.pause()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
	}

	@Test
	void noProcessQueriesAgainAtOnce() {
		TasksTaken taken = take(new TaskOffer("a", Duration.ZERO, null, false));
		assertThat(taken.pause()).isGreaterThan(Duration.ZERO);
	}

	@Test
	void aServerWhoseClockWentBackGoesOn() {
		database.update("update {schema}.maintenance_task set next_run_at = now() + interval '1 day'");
		assertThat(take(always("a")).names()).containsExactly("a");
	}

	@Test
	void aLockedTaskDoesNotDelayTheOthers() throws Exception {
		try (OpenTransaction other = database.begin()) {
			other.execute("select from {schema}.maintenance_task where name = 'a' for update");
			assertThat(take(always("a"), always("b")).names()).containsExactly("b");
		}
	}

	@Test
	void oneOfTwoConcurrentProcessesTakesTheTasks() throws Exception {
		try (OpenTransaction other = database.begin()) {
			assertThat(other.maintenance().take(TURN, List.of(always("a")), LONGEST, Duration.ZERO, false).names())
				.containsExactly("a");
			TasksTaken taken = take(always("a"));
			assertThat(taken.names()).isEmpty();
			assertThat(taken.pause()).isGreaterThan(Duration.ZERO);
			other.commit();
		}
	}

	@Test
	void aTaskHasOneRowHoweverOftenItIsAdded() {
		this.maintenance.add(Set.of("a", "c"));
		assertThat(take(always("a"), always("c")).names()).containsExactlyInAnyOrder("a", "c");
	}

	@Test
	void scheduledJobsDetermineTheNextPromotion() {
		database.update(
				"update {schema}.maintenance_task set next_run_at = now() + interval '1 minute' where name = 'promote_all'");
		assertThat(take(promote()).names()).isEmpty();
		database.enqueue(JobRequest.of("type").delay(Duration.ofSeconds(30)));
		passTurn();
		TasksTaken taken = take(promote());
		assertThat(taken.names()).isEmpty();
		assertThat(taken.pause()).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(30));
		database.update("update {schema}.job set run_at = now()");
		passTurn();
		assertThat(take(promote()).names()).containsExactly("promote");
	}

	@Test
	void oneThatWasCommittedLongAfterItWasDueIsFoundByThePassOverAll() {
		database.update("update {schema}.maintenance_task set mark = now() where name = 'promote'");
		database.update(
				"update {schema}.maintenance_task set next_run_at = now() + interval '30 seconds' where name = 'promote_all'");
		database.enqueue(JobRequest.of("type").delay(Duration.ofSeconds(30)));
		database.update("update {schema}.job set run_at = now() - interval '1 minute'");
		TasksTaken taken = take(promote());
		assertThat(taken.names()).as("it lies before the mark").isEmpty();
		assertThat(taken.pause()).as("the mark moves").isLessThanOrEqualTo(Duration.ofSeconds(30));
		database.update(
				"update {schema}.maintenance_task set next_run_at = now() - interval '1 second' where name = 'promote_all'");
		passTurn();
		assertThat(take(promote()).names()).containsExactly("promote");
	}

	@Test
	void aServerWhoseClockWentBackPromotesJobsWhenTheyAreDue() {
		database.update("update {schema}.maintenance_task set mark = now() + interval '2 hours',"
				+ " next_run_at = now() + interval '2 hours' where name <> '" + TURN + "'");
		database.enqueue(JobRequest.of("type").delay(Duration.ofSeconds(30)));
		TasksTaken taken = take(promote());
		assertThat(taken.names()).isEmpty();
		assertThat(taken.pause()).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(30));
	}

	@Test
	void thePassOverAllIsMadeAtOnceWhenTheClockWentBack() {
		database.update("update {schema}.maintenance_task set taken_at = now() + interval '1 hour',"
				+ " next_run_at = now() + interval '1 hour' where name = 'promote_all'");
		assertThat(take(promote()).names()).containsExactly("promote");
	}

	@Test
	void thePassOverAllIsFrequentForAMinuteAfterJobsWerePromoted() {
		database
			.update("update {schema}.maintenance_task set mark = now() - interval '30 seconds' where name = 'promote'");
		assertThat(take(promote()).names()).containsExactly("promote");
	}

	@Test
	void thePassOverAllIsRareWhileTheMarkRests() {
		database
			.update("update {schema}.maintenance_task set mark = now() - interval '1 minute' where name = 'promote'");
		database.update(
				"update {schema}.maintenance_task set next_run_at = now() - interval '1 second' where name = 'promote_all'");
		TasksTaken taken = take(promote());
		assertThat(taken.names()).isEmpty();
		assertThat(taken.pause()).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(8));
	}

	@Test
	void aHeartbeatDeterminesWhenItIsLate() {
		database.worker();
		TaskOffer recover = new TaskOffer("recover", HOUR, RecoveryStore.heartbeatLate(Duration.ofSeconds(30)), false);
		TasksTaken taken = take(recover);
		assertThat(taken.names()).isEmpty();
		assertThat(taken.pause()).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(30));
		database.update("update {schema}.worker set heartbeat_at = now() - interval '30 seconds'");
		passTurn();
		assertThat(take(recover).names()).containsExactly("recover");
	}

	private TasksTaken take(TaskOffer... offers) {
		return this.maintenance.take(TURN, List.of(offers), LONGEST, Duration.ZERO, false);
	}

	private static void passTurn() {
		database.update("update {schema}.maintenance_task set next_run_at = now() where name = '" + TURN + "'");
	}

	private static TaskOffer promote() {
		return new TaskOffer("promote", HOUR, MaintenanceStore.PROMOTIONS, false);
	}

	private static TaskOffer always(String name) {
		return new TaskOffer(name, HOUR, null, false);
	}

	private static TaskOffer when(String name, String due) {
		return new TaskOffer(name, HOUR, new WhenDue(due), false);
	}

	private record TaskOffer(String name, Duration interval, @Nullable WhenDue due, boolean insists) implements Task {

		@Override
		public void run() {
		}

	}

}
