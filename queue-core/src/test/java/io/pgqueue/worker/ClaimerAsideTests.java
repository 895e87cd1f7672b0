package io.pgqueue.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

import io.pgqueue.JobRequest;
import io.pgqueue.handler.HandlerRegistry;
import io.pgqueue.schema.SchemaName;
import io.pgqueue.store.JobStore;
import io.pgqueue.store.WorkerIdentity;
import io.pgqueue.store.WorkerStore;
import io.pgqueue.testing.Engine;
import io.pgqueue.wakeup.JobEndings;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a claimer has done beside its own claims; it is done here when a test says so. */
class ClaimerAsideTests {

	private static final Duration FOREVER = Duration.ofDays(1);

	@AutoClose
	private final Engine engine = new Engine();

	private final JobStore store = new JobStore(this.engine.jdbc(), this.engine.jdbc(), SchemaName.DEFAULT, true);

	private final long worker = new WorkerStore(this.engine.jdbc(), SchemaName.DEFAULT)
		.register(new WorkerIdentity("test", List.of("*"), List.of("test")));

	private final Pools pools = new Pools(
			new WorkerSettings(4, Map.of(), 0, 3, FOREVER, Duration.ofSeconds(30), Duration.ZERO));

	private final Pool pool = this.pools.of("default").orElseThrow();

	private final Lanes lanes = new Lanes(this.store, Set.of("test"), Duration.ZERO);

	private final Finisher finisher = new Finisher(new OutcomeWriter(this.store, this.worker, (queues) -> {
	}, new JobEndings()), () -> {
	});

	private final Queue<Runnable> aside = new ArrayDeque<>();

	private final Executor executor = this.aside::add;

	private final Claimer claimer = new Claimer(this.store, this.worker, this.pools, this.lanes,
			new TypeLimits(Map.of()),
			new Dispatcher(this.finisher, new TypeOptions(HandlerRegistry.builder(Engine.CODEC).build(), 3)), FOREVER,
			Map.of(), this.executor);

	@Test
	void goesOnClaimingWhileALookAtAllLanesIsSlow() throws InterruptedException {
		oneLaneThatIsSlowToLookAt();
		this.engine.enqueue("test");
		this.claimer.jobsArrived(List.of("default"));
		turn();
		assertThat(held()).as("claimed from a lane that is known").isEqualTo(1);
		this.engine.enqueue(JobRequest.of("test", 1).queue("new"));
		this.aside.remove().run();
		turn();
		assertThat(held()).as("claimed from a lane that was found").isEqualTo(2);
	}

	@Test
	void findsWhatArrivedInANewLaneDuringASlowLook() throws InterruptedException {
		oneLaneThatIsSlowToLookAt();
		Runnable look = this.aside.remove();
		look.run(); // it has seen nothing
		this.engine.enqueue(JobRequest.of("test", 1).queue("new"));
		this.claimer.jobsArrived(List.of("new"));
		until(() -> {
			if (!this.aside.isEmpty()) {
				this.aside.remove().run();
			}
			return held() == 1;
		});
	}

	@Test
	void looksAgainAfterALookThatFailed() throws InterruptedException {
		oneLaneThatIsSlowToLookAt();
		this.engine.enqueue(JobRequest.of("test", 1).queue("new"));
		this.engine.jdbc().execute("alter table queue.job rename to away");
		this.aside.remove().run();
		this.engine.jdbc().execute("alter table queue.away rename to job");
		assertThatThrownBy(this::turn).rootCause().hasMessageContaining("queue.job");
		until(() -> {
			if (!this.aside.isEmpty()) {
				this.aside.remove().run();
			}
			return held() == 1;
		});
	}

	private void oneLaneThatIsSlowToLookAt() throws InterruptedException {
		this.engine.enqueue("test");
		turn();
		runAll();
		this.lanes.take(slow());
		this.lanes.take(slow());
		until(() -> this.aside.size() == 1);
	}

	private Lanes.Look slow() {
		return new Lanes.Look(this.lanes.look().sweep(), Duration.ofMillis(6).toNanos());
	}

	private void turn() throws InterruptedException {
		this.claimer.turn(Duration.ZERO);
	}

	private void until(BooleanSupplier condition) throws InterruptedException {
		long deadline = System.nanoTime() + Engine.PATIENCE.toNanos();
		while (!condition.getAsBoolean()) {
			assertThat(System.nanoTime()).isLessThan(deadline);
			this.claimer.lookAgain();
			this.claimer.turn(Duration.ofMillis(1));
		}
	}

	/** All that is held runs, and ends. */
	private void runAll() {
		for (int job = this.pool.jobs().heldCount(); job > 0; job--) {
			this.pool.jobs().done(Objects.requireNonNull(this.pool.jobs().next()));
		}
	}

	private int held() {
		return this.pool.jobs().heldCount();
	}

}
