package io.rowqueue.engine.figures;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Failures with the same cause. */
class ErrorGroupTests {

	private static final Duration AT_ONCE = Duration.ofSeconds(-1);

	private static final long REFUSED = -42;

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final ErrorGroupStore groups = new ErrorGroupStore(database.queueDatabase());

	private final long worker = database.worker();

	@BeforeEach
	void clear() {
		database.execute("truncate {schema}.tally, {schema}.error_group, {schema}.process, {schema}.job_failure");
		database.execute("update {schema}.maintenance_task set mark = null where name = 'errors'");
	}

	@Test
	void failuresAreGroupedOnce() {
		fail("webhook", REFUSED, "java.net.ConnectException: refused", Duration.ofHours(1));
		long last = fail("webhook", REFUSED, "java.net.ConnectException: refused again", null);
		fail("mail", 7, "java.lang.IllegalStateException", null);
		assertThat(this.groups.group(AT_ONCE)).isEqualTo(3);
		assertThat(this.groups.group(AT_ONCE)).isZero();
		assertThat(this.groups.list(ErrorGroupFilter.ALL, null, 10).groups()).hasSize(2);
		assertThat(list(new ErrorGroupFilter("open", "webhook", null, false))).singleElement().satisfies((group) -> {
			assertThat(group.id()).isEqualTo(REFUSED);
			assertThat(group.failures()).isEqualTo(2);
			assertThat(group.lastJob()).isEqualTo(last);
			assertThat(group.exception()).isEqualTo("java.net.ConnectException");
			assertThat(group.sample()).endsWith("refused");
		});
		fail("webhook", REFUSED, "java.net.ConnectException: refused", null);
		this.groups.group(AT_ONCE);
		assertThat(this.groups.find(REFUSED)).hasValueSatisfying((group) -> assertThat(group.failures()).isEqualTo(3));
		assertThat(new TallyStore(database.queueDatabase())
			.ofErrors(List.of(ErrorGroup.name(REFUSED)), database.now().minusSeconds(7200))
			.stream()
			.mapToLong((each) -> each.counts().failed())
			.sum()).isEqualTo(3);
	}

	/**
	 * Otherwise a job that is erased meanwhile and the grouping could wait for each
	 * other.
	 */
	@Test
	void groupsAreLockedInTheOrderOfTheirIds() throws Exception {
		for (long id = 5; id > 0; id--) {
			group(id);
			fail("webhook", id, "error", null);
		}
		try (OpenTransaction other = database.begin()) {
			other.execute("select from {schema}.error_group where id = 1 for update");
			Future<Integer> grouped = database.async(() -> this.groups.group(AT_ONCE));
			database.awaitBlockedStatement();
			assertThat(unlocked()).isEqualTo(4);
			other.rollback();
			assertThat(StoreDatabase.result(grouped)).isEqualTo(5);
		}
		assertThat(database.list("select failures from {schema}.error_group", Long.class)).hasSize(5).containsOnly(2L);
	}

	@Test
	void aJobThatIsErasedLocksGroupsInTheOrderOfTheirIds() throws Exception {
		long job = fail("webhook", 5, "error 5", null);
		group(5);
		for (long id = 4; id > 0; id--) {
			group(id);
			database.update("insert into {schema}.job_failure (job_id, failed_at, attempt, error, error_group)"
					+ " values (?, now(), 1, 'error', ?)", job, id);
		}
		try (OpenTransaction other = database.begin()) {
			other.execute("select from {schema}.error_group where id = 1 for update");
			Future<Long> erased = database
				.async(() -> database.query("select {schema}.erase_jobs(array[?])", Long.class, job));
			database.awaitBlockedStatement();
			assertThat(unlocked()).isEqualTo(4);
			other.rollback();
			assertThat(StoreDatabase.result(erased)).isEqualTo(job);
		}
		assertThat(database.list("select sample from {schema}.error_group", String.class)).hasSize(5).containsOnly("");
	}

	@Test
	void anOldGroupThatIsLockedIsDeletedLater() throws Exception {
		group(1);
		group(2);
		try (OpenTransaction other = database.begin()) {
			other.execute("select from {schema}.error_group where id = 1 for update");
			assertThat(this.groups.delete(AT_ONCE, 10)).isOne();
		}
		assertThat(this.groups.delete(AT_ONCE, 10)).isOne();
	}

	private static void group(long id) {
		database.update("insert into {schema}.error_group (id, type, first_at, last_at, last_job, failures, sample)"
				+ " values (?, 'webhook', now(), now(), 1, 1, 'error')", id);
	}

	private static int unlocked() {
		return database.list("select id from {schema}.error_group for update skip locked", Long.class).size();
	}

	@Test
	void whatWasWrittenJustNowIsGroupedLater() {
		fail("webhook", REFUSED, "error", null);
		assertThat(this.groups.group(Duration.ofMinutes(1))).isZero();
		assertThat(this.groups.group(AT_ONCE)).isEqualTo(1);
	}

	@Test
	void failuresAreGroupedAlsoAfterTheClockOfTheServerWasSetBack() {
		fail("webhook", REFUSED, "error", null);
		this.groups.group(AT_ONCE);
		database.execute("update {schema}.job_failure set failed_at = failed_at + interval '1 day'");
		database.execute("update {schema}.maintenance_task set mark = mark + interval '1 day' where name = 'errors'");
		this.groups.group(Duration.ZERO);
		fail("webhook", REFUSED, "error", null);
		assertThat(this.groups.group(Duration.ZERO)).isEqualTo(1);
		assertThat(this.groups.find(REFUSED)).hasValueSatisfying((group) -> assertThat(group.failures()).isEqualTo(2));
	}

	/**
	 * One of them was about to group them, and was suspended until it was another's turn.
	 */
	@Test
	void twoProcessesThatGroupAtTheSameTimeCountEachFailureOnce() throws Exception {
		group(1);
		fail("webhook", 1, "error", null);
		try (OpenTransaction other = database.begin()) {
			other.execute("select from {schema}.error_group where id = 1 for update");
			Future<Integer> first = database.async(() -> this.groups.group(AT_ONCE));
			Future<Integer> second = database.async(() -> this.groups.group(AT_ONCE));
			database.awaitBlockedStatements(2);
			other.rollback();
			assertThat(StoreDatabase.result(first) + StoreDatabase.result(second)).isEqualTo(1);
		}
		assertThat(this.groups.find(1)).hasValueSatisfying((group) -> assertThat(group.failures()).isEqualTo(2));
	}

	@Test
	void aResolvedErrorThatOccursAgainIsOpen() {
		fail("webhook", REFUSED, "error", null);
		this.groups.group(AT_ONCE);
		assertThat(this.groups.setStatus(REFUSED, "resolved", "ada", "fixed in 1.43")).isTrue();
		assertThat(this.groups.countOpen()).isZero();
		fail("webhook", REFUSED, "error", null);
		this.groups.group(AT_ONCE);
		assertThat(this.groups.find(REFUSED)).hasValueSatisfying((group) -> {
			assertThat(group.status()).isEqualTo("open");
			assertThat(group.reopenedAt()).isNotNull();
			assertThat(group.note()).isEqualTo("fixed in 1.43");
		});
	}

	@Test
	void aFailureBeforeItWasResolvedDoesNotReopenIt() {
		fail("webhook", REFUSED, "error", null);
		this.groups.group(AT_ONCE);
		fail("webhook", REFUSED, "error", null);
		this.groups.setStatus(REFUSED, "resolved", "ada", null);
		this.groups.group(AT_ONCE);
		assertThat(this.groups.find(REFUSED)).hasValueSatisfying((group) -> {
			assertThat(group.status()).isEqualTo("resolved");
			assertThat(group.failures()).isEqualTo(2);
		});
	}

	@Test
	void anIgnoredErrorStaysIgnored() {
		fail("webhook", REFUSED, "error", null);
		this.groups.group(AT_ONCE);
		this.groups.setStatus(REFUSED, "ignored", "ada", null);
		fail("webhook", REFUSED, "error", null);
		this.groups.group(AT_ONCE);
		assertThat(this.groups.find(REFUSED))
			.hasValueSatisfying((group) -> assertThat(group.status()).isEqualTo("ignored"));
	}

	@Test
	void onlyJobsThatHaveFailedForGoodWithItAreToBeRetried() {
		long failed = fail("webhook", REFUSED, "error", null);
		fail("webhook", REFUSED, "error", Duration.ofHours(1));
		long cancelled = fail("webhook", REFUSED, "error", Duration.ofHours(1));
		database.query("select {schema}.cancel_jobs(array[?])", Long.class, cancelled);
		fail("webhook", 7, "another error", null);
		assertThat(this.groups.failedJobs(REFUSED, 10)).containsExactly(failed);
		assertThat(this.groups.jobs(REFUSED, 10)).extracting(ErrorGroupJob::state)
			.containsExactly("cancelled", "scheduled", "failed");
	}

	@Test
	void thePagesOfTheListHaveEachGroupOnce() {
		fill(120);
		assertThat(list(ErrorGroupFilter.ALL)).hasSize(120).doesNotHaveDuplicates();
		assertThat(list(ErrorGroupFilter.ALL).get(0).id()).as("the one that was seen last").isEqualTo(1);
		assertThat(list(new ErrorGroupFilter("ignored", null, null, false))).hasSize(12);
		for (String cursor : List.of("", "x", "infinity_1", "2026-13-45 10:00:00+00_1",
				"2026-11-22 10:00:00_9999999999999999999")) {
			assertThatIllegalArgumentException().isThrownBy(() -> this.groups.list(ErrorGroupFilter.ALL, cursor, 10));
		}
	}

	/** A page without groups is not the last one. */
	@Test
	void aSearchLooksAtALimitedNumberOfGroups() {
		fill(2500);
		ErrorGroupFilter last = new ErrorGroupFilter(null, null, "Failure 2500", true);
		ErrorGroupPage first = this.groups.list(last, null, 10);
		assertThat(first.groups()).isEmpty();
		assertThat(this.groups.list(last, first.next(), 10).groups()).singleElement().extracting("id").isEqualTo(2500L);
	}

	@Test
	void aTextIsSearchedInMessagesIfTheyMayBeSeen() {
		fill(20);
		assertThat(list(new ErrorGroupFilter(null, null, "failure 7", true))).extracting("id").containsExactly(7L);
		assertThat(list(new ErrorGroupFilter(null, null, "failure 7", false))).isEmpty();
		assertThat(list(new ErrorGroupFilter(null, null, "IOEXCEPTION", false))).hasSize(20);
		assertThat(list(new ErrorGroupFilter(null, null, "type-3", false))).extracting("id").containsExactly(3L, 13L);
		assertThat(list(new ErrorGroupFilter(null, null, ErrorGroup.name(7), false))).extracting("id")
			.containsExactly(7L);
		assertThat(list(new ErrorGroupFilter(null, null, "%", false))).isEmpty();
	}

	@Test
	void theVersionsInWhichItWasSeenAreKnown() {
		new ProcessStore(database.queueDatabase()).report(this.worker, new ProcessInfo("web", "1.42", "17", "web"),
				Counts.NONE, Duration.ZERO, ProcessLoad.UNKNOWN);
		fail("webhook", REFUSED, "error", null);
		this.groups.group(AT_ONCE);
		fail("webhook", REFUSED, "error", null);
		this.groups.group(AT_ONCE);
		assertThat(this.groups.find(REFUSED))
			.hasValueSatisfying((group) -> assertThat(group.versions()).containsExactly("1.42"));
	}

	@Test
	void aNameInAnAddressIsTheIdAgain() {
		assertThat(List.of(REFUSED, 7L, Long.MIN_VALUE, Long.MAX_VALUE))
			.allSatisfy((id) -> assertThat(ErrorGroup.id(ErrorGroup.name(id))).isEqualTo(id));
		assertThat(ErrorGroup.id("nothing")).isZero();
	}

	private List<ErrorGroup> list(ErrorGroupFilter filter) {
		List<ErrorGroup> all = new ArrayList<>();
		String cursor = null;
		do {
			ErrorGroupPage page = this.groups.list(filter, cursor, 25);
			all.addAll(page.groups());
			cursor = page.next();
		}
		while (cursor != null);
		return all;
	}

	/** Two groups each were seen at the same time. */
	private static void fill(int groups) {
		database.update("""
				insert into {schema}.error_group (id, type, first_at, last_at, last_job, failures, sample, status)
				select n, 'type-' || n % 10, now(), now() - (n / 2) * interval '1 second', n, 1,
					'java.io.IOException: Failure ' || n, case when n % 10 = 0 then 'ignored' else 'open' end
				from generate_series(1, ?) n""", groups);
	}

	private long fail(String type, long group, String error, @Nullable Duration retryAfter) {
		Lease lease = database.lease(this.worker, type);
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, error, retryAfter, group)));
		return lease.jobId();
	}

}
