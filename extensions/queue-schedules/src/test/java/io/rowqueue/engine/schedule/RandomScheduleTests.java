package io.rowqueue.engine.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.listen.JobListener;
import io.rowqueue.schedule.MissedPolicy;
import io.rowqueue.schedule.OverlapPolicy;
import io.rowqueue.schedule.Rhythm;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.ScheduleStatus.Source;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Seed;
import io.rowqueue.testing.Stores;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Several nodes enqueue the same recurring jobs at the same time, are late, and lose
 * their connections in between. Each due time has one job in the end.
 */
class RandomScheduleTests {

	private static final int NODES = 4;

	private static final int SCHEDULES = 20;

	private final long seed = Seed.of(this);

	@AutoClose
	private final Engine engine = new Engine();

	private final ScheduleStore store = new ScheduleStore(this.engine.queueDatabase());

	@Test
	void eachDueTimeIsEnqueuedOnce() {
		Random random = new Random(this.seed);
		List<Rhythm> rhythms = new ArrayList<>();
		List<Instant> first = new ArrayList<>();
		for (int i = 0; i < SCHEDULES; i++) {
			Rhythm rhythm = Seed.any(random, Rhythm.every(Duration.ofSeconds(10 + random.nextInt(600))),
					Rhythm.cron("0 */7 * * * *", "Australia/Lord_Howe"), Rhythm.cron("0 30 2 * * *", "Europe/Berlin"),
					Rhythm.cron("*/20 * * * * *", "UTC"));
			Instant begin = rhythm.next(this.store.now().minusSeconds(random.nextInt(20_000)));
			if (begin.isAfter(this.store.now())) {
				begin = rhythm.next(begin.minus(Duration.ofDays(2)));
			}
			rhythms.add(rhythm);
			first.add(begin);
			this.store.put(new NewSchedule(Schedule.of("s" + i, rhythm, JobRequest.of("test"))
				.overlap(OverlapPolicy.QUEUE)
				.missed(MissedPolicy.ALL), null, null, Source.CODE, begin));
		}
		AtomicBoolean over = new AtomicBoolean();
		List<CompletableFuture<Void>> nodes = new ArrayList<>();
		for (int i = 0; i < NODES; i++) {
			long seedOfNode = random.nextLong();
			nodes.add(Async.run(() -> node(new Random(seedOfNode), over)));
		}
		for (int i = 0; i < 15; i++) {
			this.engine.terminateAllSessions();
			await(5 + random.nextInt(30));
		}
		// thousands of due times
		Awaitility.await().atMost(Duration.ofMinutes(5)).until(() -> this.store.due(1000).isEmpty());
		over.set(true);
		nodes.forEach(CompletableFuture::join);
		for (int i = 0; i < SCHEDULES; i++) {
			String name = "s" + i;
			List<Instant> expected = new ArrayList<>();
			Instant next = this.store.find(name).orElseThrow().nextRunAt();
			for (Instant time = first.get(i); time.isBefore(next); time = rhythms.get(i).next(time)) {
				expected.add(time);
			}
			assertThat(this.engine.jdbc()
				.query("select headers ->> 'due-at' from rowqueue.job where headers ->> 'schedule' = ? order by id",
						(row, index) -> Instant.parse(row.getString(1)), name))
				.as("%s, %s, seed %d", name, rhythms.get(i), this.seed)
				.containsExactlyInAnyOrderElementsOf(expected);
		}
	}

	/** A node that is late with what it has seen now and then, like after a pause. */
	private void node(Random random, AtomicBoolean over) {
		JdbcTemplate jdbc = new JdbcTemplate(this.engine.pool(1));
		ScheduleStore own = new ScheduleStore(new QueueDatabase(jdbc, SchemaName.DEFAULT));
		ScheduleTask task = new ScheduleTask(own, new Stores(jdbc).wakeUps(), DeclaredSchedules.NONE, JobListener.NONE,
				StoreListener.NONE);
		List<DueSchedule> seen = List.of();
		while (!over.get()) {
			try {
				if (random.nextInt(3) == 0) {
					own.fire(seen.stream().map(DueTimes::of).toList());
					seen = own.due(1 + random.nextInt(SCHEDULES));
				}
				else {
					task.run();
				}
			}
			catch (DataAccessException ex) {
				// killed: who knows what was committed
				seen = random.nextBoolean() ? List.of() : seen;
			}
		}
	}

	private static void await(int millis) {
		Awaitility.await().pollDelay(Duration.ofMillis(millis)).until(() -> true);
	}

}
