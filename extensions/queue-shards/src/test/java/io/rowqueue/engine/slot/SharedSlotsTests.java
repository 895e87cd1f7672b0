package io.rowqueue.engine.slot;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.TestJobs;
import io.rowqueue.engine.shard.SharedSlots;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How the workers of several shards share the slots of their process. */
class SharedSlotsTests {

	private final SharedSlots slots = new SharedSlots();

	private final AtomicInteger wakes = new AtomicInteger();

	private final Pool busy = join(() -> true);

	private Pool join(BooleanSupplier available) {
		Pool pool = this.slots.create(4, Map.of(), 100, available, this.wakes::incrementAndGet)
			.all()
			.findFirst()
			.orElseThrow();
		pool.demand().take();
		return pool;
	}

	@Test
	void aShardThatIsAloneHasAllSlots() {
		join(() -> true);
		assertThat(this.busy.room()).isEqualTo(4);
		add(this.busy, 5);
		assertThat(run(this.busy, 4)).hasSize(4);
		assertThat(this.busy.room()).isZero();
	}

	@Test
	void theyNeverRunMoreThanThereAreSlots() {
		Pool other = join(() -> true);
		add(this.busy, 4);
		run(this.busy, 4);
		add(other, 1);
		assertThat(other.jobs().start()).isNull();
		this.busy.jobs().done(this.busy.jobs().running().get(0));
		assertThat(other.jobs().start()).isNotNull();
	}

	@Test
	void aShardThatLooksForJobsGetsTheNextSlotThatIsFree() {
		Pool quiet = join(() -> true);
		add(this.busy, 8);
		List<ActiveJob> running = run(this.busy, 4);
		quiet.demand().raise(Demand.Level.ANYWHERE);
		assertThat(quiet.room()).isZero();
		this.busy.jobs().done(running.get(0));
		assertThat(this.busy.jobs().start()).as("one slot is left to the quiet shard").isNull();
		this.busy.claimed();
		assertThat(this.wakes).hasValue(1);
		assertThat(quiet.room()).isEqualTo(1);
		quiet.demand().take();
		quiet.claimed();
		assertThat(this.busy.jobs().start()).as("the quiet shard found nothing").isNotNull();
	}

	@Test
	void aClaimUnderWayNeedsASlot() {
		SharedSlots shared = new SharedSlots();
		Pools other = shared.create(4, Map.of(), 100, () -> true, this.wakes::incrementAndGet);
		Pools quiet = shared.create(4, Map.of(), 100, () -> true, this.wakes::incrementAndGet);
		Pool flooded = other.all().findFirst().orElseThrow();
		flooded.demand().take();
		add(flooded, 8);
		assertThat(quiet.roomWhereDemandIs()).isNotEmpty();
		quiet.all().forEach((pool) -> pool.demand().take());
		assertThat(run(flooded, 3)).hasSize(3);
		assertThat(flooded.jobs().start()).isNull();
		quiet.claimed();
		assertThat(flooded.jobs().start()).as("it has found nothing").isNotNull();
	}

	@Test
	void shardsWithManyJobsHaveEqualParts() {
		Pool other = join(() -> true);
		add(this.busy, 8);
		List<ActiveJob> running = run(this.busy, 4);
		add(other, 8);
		running.forEach(this.busy.jobs()::done);
		assertThat(run(this.busy, 2)).hasSize(2);
		assertThat(this.busy.jobs().start()).isNull();
		assertThat(run(other, 2)).hasSize(2);
		assertThat(other.jobs().start()).isNull();
	}

	@Test
	void aShardThatIsNotAvailableNeedsNoSlot() {
		AtomicBoolean available = new AtomicBoolean(true);
		Pool away = join(available::get);
		away.demand().raise(Demand.Level.ANYWHERE);
		add(this.busy, 4);
		assertThat(this.busy.room()).isZero();
		available.set(false);
		assertThat(run(this.busy, 4)).hasSize(4);
	}

	@Test
	void aWorkerThatHasEndedNeedsNoSlot() {
		Pools ended = this.slots.create(4, Map.of(), 100, () -> true, this.wakes::incrementAndGet);
		Pool pool = ended.all().findFirst().orElseThrow();
		add(pool, 4);
		run(pool, 4);
		add(this.busy, 4);
		assertThat(this.busy.jobs().start()).isNull();
		ended.leave();
		assertThat(run(this.busy, 4)).hasSize(4);
	}

	@Test
	void aShardWithMoreSlotsThanTheOthersUsesThemAlone() {
		Pool other = join(() -> true);
		this.busy.resize(6);
		add(this.busy, 8);
		assertThat(run(this.busy, 6)).hasSize(6);
		assertThat(this.busy.jobs().start()).isNull();
		this.busy.jobs().running().forEach(this.busy.jobs()::done);
		add(other, 8);
		this.busy.jobs().drain();
		assertThat(run(other, 4)).hasSize(4);
		assertThat(other.jobs().start()).as("it has four").isNull();
	}

	private static void add(Pool pool, int jobs) {
		for (int i = 0; i < jobs; i++) {
			pool.jobs().add(List.of(TestJobs.job(i, 0)));
		}
	}

	private static List<ActiveJob> run(Pool pool, int jobs) {
		for (int i = 0; i < jobs; i++) {
			assertThat(pool.jobs().start()).isNotNull();
		}
		return pool.jobs().running();
	}

}
