package io.rowqueue.engine.claim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import io.rowqueue.engine.lease.ClaimStore.Claimed;
import io.rowqueue.engine.slot.Pool;
import io.rowqueue.engine.slot.SlotShare;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class BackgroundClaimsTests {

	private final Pool pool = new Pool("*", 1000, 0, SlotShare.own(1000));

	/** What other threads are to do; a test does it. */
	private final Queue<Runnable> others = new ArrayDeque<>();

	private final AtomicInteger back = new AtomicInteger();

	private final BackgroundClaims claims = new BackgroundClaims(this.others::add, this.back::incrementAndGet);

	private final List<Claimed> learned = new ArrayList<>();

	@Test
	void backgroundClaimsDoNotWaitForEachOther() throws InterruptedException {
		Claimed first = claimed(1);
		Claimed second = claimed(2);
		begin(() -> first);
		begin(() -> second);
		Runnable slow = this.others.remove();
		this.others.remove().run();
		assertThat(this.back).hasValue(1);
		this.claims.takeEnded();
		assertThat(this.learned).containsExactly(second);
		slow.run();
		this.claims.takeEnded();
		assertThat(this.learned).containsExactly(second, first);
		assertThat(this.claims.isEmpty()).isTrue();
	}

	@Test
	void thereAreNoMoreBackgroundClaimsThanSessions() throws InterruptedException {
		assertThat(this.claims.isEmpty()).isTrue();
		for (int i = 0; i < BackgroundClaims.MAX_CONCURRENT; i++) {
			assertThat(this.claims.isFull()).isFalse();
			begin(() -> claimed(1));
			assertThat(this.claims.isEmpty()).isFalse();
		}
		assertThat(this.claims.isFull()).isTrue();
		this.others.remove().run();
		assertThat(this.claims.isFull()).as("it has ended, but its result was not taken").isTrue();
		this.claims.takeEnded();
		assertThat(this.claims.isFull()).isFalse();
	}

	@Test
	void backgroundClaimsReservePlacesUntilTheyHaveEnded() throws InterruptedException {
		begin(() -> claimed(1));
		assertThat(this.pool.jobs().room(1000)).isEqualTo(700);
		this.others.remove().run();
		assertThat(this.pool.jobs().room(1000)).isEqualTo(700);
		this.claims.takeEnded();
		assertThat(this.pool.jobs().room(1000)).isEqualTo(1000);
	}

	@Test
	void aFailedBackgroundClaimReportsItsErrorAndKeepsNoPlace() throws InterruptedException {
		begin(() -> {
			throw new IllegalStateException("no connection");
		});
		begin(() -> claimed(2));
		this.others.forEach(Runnable::run);
		assertThatIllegalStateException().isThrownBy(this.claims::takeEnded).withMessage("no connection");
		assertThat(this.learned).isEmpty();
		this.claims.takeEnded();
		assertThat(this.learned).hasSize(1);
		assertThat(this.claims.isEmpty()).isTrue();
		assertThat(this.pool.jobs().room(1000)).isEqualTo(1000);
	}

	@Test
	void theEndOfAllBackgroundClaimsOfNowIsReported() throws InterruptedException {
		assertThat(this.claims.end().getAsBoolean()).isTrue();
		begin(() -> claimed(1));
		begin(() -> claimed(2));
		BooleanSupplier ended = this.claims.end();
		this.others.remove().run();
		this.claims.takeEnded();
		assertThat(ended.getAsBoolean()).isFalse();
		begin(() -> claimed(3));
		this.others.remove().run();
		assertThat(ended.getAsBoolean()).as("its result was not taken").isFalse();
		this.claims.takeEnded();
		assertThat(ended.getAsBoolean()).as("whatever was begun since").isTrue();
	}

	@Test
	void backgroundClaimsReportTheirPool() {
		begin(() -> claimed(1));
		assertThat(this.claims.hasOneFor(this.pool)).isTrue();
		assertThat(this.claims.hasOneFor(new Pool("queue mails", 1000, 0, SlotShare.own(1000)))).isFalse();
	}

	@Test
	void backgroundClaimsDoNotBeginAfterTheWorkerHasEnded() {
		Executor ended = (claim) -> {
			throw new RejectedExecutionException();
		};
		BackgroundClaims none = new BackgroundClaims(ended, () -> {
		});
		assertThatExceptionOfType(RejectedExecutionException.class)
			.isThrownBy(() -> none.begin(this.pool, 100, () -> claimed(1), this.learned::add));
		assertThat(none.isEmpty()).isTrue();
		assertThat(this.pool.jobs().room(1000)).isEqualTo(1000);
	}

	private void begin(Callable<Claimed> statement) {
		this.claims.begin(this.pool, 300, statement, this.learned::add);
	}

	private static Claimed claimed(long id) {
		return new Claimed(List.of(), false, id);
	}

}
