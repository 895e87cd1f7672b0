package io.rowqueue.engine.transport;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import io.rowqueue.engine.slot.Pool;
import io.rowqueue.engine.slot.Pools;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The clock stands still unless a test sets it forward. */
class DeliveryRoomTests {

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private final AtomicLong nanos = new AtomicLong();

	/** There may be as many jobs to claim. */
	private final Pools pools = new Pools(10, Map.of("slow", 1), 0);

	private final Pool slow = this.pools.of("slow").orElseThrow();

	private final Pool others = this.pools.of("any").orElseThrow();

	private final DeliveryRoom room = new DeliveryRoom("push", this.pools, PATIENCE, this.nanos::get);

	@Test
	void beforeTheFirstJobsTheRoomiestPoolCounts() {
		this.slow.reserve(1);
		assertThat(this.room.jobs()).isEqualTo(5);
	}

	@Test
	void thePoolsOfTheLatestJobsCount() {
		deliver(Set.of(this.slow, this.others), Set.of());
		assertThat(this.room.jobs()).isEqualTo(1);
		deliver(Set.of(this.others), Set.of());
		assertThat(this.room.jobs()).isEqualTo(5);
		deliver(Set.of(), Set.of());
		assertThat(this.room.jobs()).as("jobs that went to no pool say nothing").isEqualTo(5);
	}

	@Test
	void aFullPoolHoldsUpTheOthersForAsLongAsAJobMayWait() {
		deliver(Set.of(this.slow, this.others), Set.of());
		this.slow.reserve(1);
		assertThat(this.room.jobs()).isZero();
		this.nanos.addAndGet(PATIENCE.toNanos() - 1);
		assertThat(this.room.jobs()).isZero();
		assertThat(this.room.isBlocked(this.slow)).isFalse();
		this.nanos.addAndGet(1);
		assertThat(this.room.jobs()).isEqualTo(5);
		assertThat(this.room.isBlocked(this.slow)).isTrue();
		deliver(Set.of(this.others), Set.of(this.slow));
		assertThat(this.room.jobs()).isEqualTo(5);
	}

	@Test
	void whileAllJobsAreForAFullPoolMostOfThemStayInTheBroker() {
		block();
		assertThat(this.room.jobs()).isEqualTo(5);
		assertThat(this.room.jobs()).as("if none came").isEqualTo(5);
		deliver(Set.of(), Set.of(this.slow));
		assertThat(this.room.jobs()).isZero();
		this.nanos.addAndGet(PATIENCE.toNanos());
		assertThat(this.room.jobs()).isEqualTo(5);
	}

	@Test
	void aPoolThatHasRoomAgainCountsAtOnce() {
		block();
		deliver(Set.of(), Set.of(this.slow));
		this.slow.jobs().releasePlaces(1);
		assertThat(this.room.isBlocked(this.slow)).isFalse();
		assertThat(this.room.jobs()).isEqualTo(1);
		this.slow.reserve(1);
		assertThat(this.room.jobs()).as("it is full since now").isZero();
		assertThat(this.room.isBlocked(this.slow)).isFalse();
	}

	@Test
	void ifAllPoolsAreFullNothingIsReceived() {
		block();
		this.others.reserve(10);
		assertThat(this.room.jobs()).isZero();
	}

	private void block() {
		deliver(Set.of(this.slow), Set.of());
		this.slow.reserve(1);
		assertThat(this.room.jobs()).isZero();
		this.nanos.addAndGet(PATIENCE.toNanos());
	}

	private void deliver(Set<Pool> reached, Set<Pool> blocked) {
		this.room.delivered(reached, blocked);
	}

}
