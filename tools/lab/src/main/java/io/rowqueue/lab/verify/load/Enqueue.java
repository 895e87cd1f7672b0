package io.rowqueue.lab.verify.load;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.rowqueue.EnqueueResult;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.lab.verify.ledger.Event;
import io.rowqueue.lab.verify.ledger.LedgerFile;
import io.rowqueue.lab.verify.site.Site;
import io.rowqueue.lab.verify.worker.Work;
import io.rowqueue.shard.Shard;
import io.rowqueue.shard.Shards;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The ways of one thread to enqueue, each written down before and after. */
final class Enqueue {

	private static final String SILENTLY = "select " + Site.SCHEMA
			+ ".enqueue(?, json_build_object('number', ?::int, 'millis', ?::int, 'failures', ?::int), wake_up => false)";

	/** Another job has the key. */
	private static final long NOT_STORED = 0;

	private final JobQueue queue;

	/** The shards, if there are several. */
	private final ObjectProvider<Shards> shards;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transactions;

	private final LedgerFile ledger;

	private final ErrorFile errors;

	private final AtomicInteger numbers;

	private final Traffic traffic;

	private final SplittableRandom random;

	Enqueue(ApplicationContext application, LedgerFile ledger, ErrorFile errors, AtomicInteger numbers, Traffic traffic,
			SplittableRandom random) {
		this.queue = application.getBean(JobQueue.class);
		this.shards = application.getBeanProvider(Shards.class);
		this.jdbc = application.getBean(JdbcTemplate.class);
		this.transactions = new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
		this.ledger = ledger;
		this.errors = errors;
		this.numbers = numbers;
		this.traffic = traffic;
		this.random = random;
	}

	/** Enqueues one job or a few in one of the ways; returns how many. */
	int some(List<String> types, boolean silent) {
		int way = this.random.nextInt(100);
		if (silent) {
			Work work = work();
			String type = chosen(types, 1).get(0);
			attempt(List.of(work), false, () -> silently(type, work));
			return 1;
		}
		boolean many = way < this.traffic.batches();
		if (!many && way >= 85 && way < 95) {
			andAfterTheCommit(types);
			return 2;
		}
		List<Work> work = Stream.generate(this::work).limit(many ? this.traffic.batch() : 1).toList();
		List<String> chosen = chosen(types, work.size());
		boolean rollBack = way >= 95;
		attempt(work, rollBack, () -> together(chosen, work, rollBack));
		return work.size();
	}

	/** Outside of what is attempted: an error here is one of the lab. */
	private List<String> chosen(List<String> types, int count) {
		return Stream.generate(() -> types.get(this.random.nextInt(types.size()))).limit(count).toList();
	}

	/** Enqueues what is stored as a whole or not at all. */
	private void attempt(List<Work> work, boolean rollBack, Supplier<List<Long>> enqueue) {
		int batch = work.get(0).number();
		work.forEach((each) -> this.ledger.append(Event.TRIED, each.number(), batch, 0));
		try {
			List<Long> ids = enqueue.get();
			for (int i = 0; i < work.size(); i++) {
				boolean stored = !rollBack && ids.get(i) != NOT_STORED;
				this.ledger.append(stored ? Event.ACKNOWLEDGED : Event.ROLLED_BACK, work.get(i).number(), batch,
						ids.get(i));
			}
		}
		catch (RuntimeException ex) { // whether a fault explains it is judged in the end
			this.errors.append(work.stream().map(Work::number).toList(), ex);
			work.forEach((each) -> this.ledger.append(rollBack ? Event.ROLLED_BACK : Event.UNKNOWN, each.number(),
					batch, 0));
		}
	}

	/** A job in a transaction and, as soon as it is committed, another one by itself. */
	private void andAfterTheCommit(List<String> types) {
		List<Work> first = List.of(work());
		List<Work> second = List.of(work());
		List<String> chosen = chosen(types, 1);
		attempt(first, false, () -> Objects.requireNonNull(this.transactions.execute((transaction) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					attempt(second, false, () -> together(chosen, second, false));
				}

			});
			return together(chosen, first, false);
		})));
	}

	private List<Long> silently(String type, Work work) {
		return this.jdbc.query(SILENTLY, (row, index) -> row.getLong(1), type, work.number(), work.millis(),
				work.failures());
	}

	private List<Long> together(List<String> types, List<Work> work, boolean rollBack) {
		boolean keys = this.traffic.keys() > 0 && work.size() == 1;
		List<JobRequest> requests = new ArrayList<>();
		for (int i = 0; i < work.size(); i++) {
			JobRequest request = JobRequest.of(types.get(i), work.get(i));
			requests.add((keys && this.random.nextBoolean()) ? keyed(request) : request);
		}
		JobQueue database = (keys && !rollBack && this.random.nextInt(6) == 0) ? anyDatabase() : this.queue;
		Supplier<List<EnqueueResult>> enqueue = () -> (requests.size() == 1)
				? List.of(database.enqueue(requests.get(0))) : database.enqueueAll(requests);
		boolean joined = rollBack || (keys && this.random.nextInt(6) == 0);
		List<EnqueueResult> results = !joined ? enqueue.get() : this.transactions.execute((transaction) -> {
			if (rollBack) {
				transaction.setRollbackOnly();
			}
			return enqueue.get();
		});
		return Objects.requireNonNull(results).stream().map(Enqueue::stored).toList();
	}

	/** A limit key or a unique one, some of them with a due time of long ago. */
	private JobRequest keyed(JobRequest request) {
		String key = "key:" + this.random.nextInt(this.traffic.keys());
		JobRequest keyed = (this.random.nextInt(3) == 0) ? request.uniqueKey(key) : request.limitKey(key);
		return (this.random.nextInt(4) == 0) ? keyed.runAt(Instant.now().minusSeconds(30)) : keyed;
	}

	/** In transactions of a database, keys are used wherever they belong to. */
	private JobQueue anyDatabase() {
		List<Shard> all = this.shards.getObject().list();
		return this.shards.getObject().queue(all.get(this.random.nextInt(all.size())).name());
	}

	private static long stored(EnqueueResult result) {
		return (result.outcome() == Outcome.CREATED || result.outcome() == Outcome.FOLLOW_UP) ? result.id()
				: NOT_STORED;
	}

	/**
	 * Most jobs are short, a few long, unless all are to be brief; one in a hundred fails
	 * once or twice.
	 */
	private Work work() {
		int kind = this.random.nextInt(100);
		int millis = (kind < 80) ? this.random.nextInt(10)
				: (kind < 98) ? this.random.nextInt(10, 150) : this.random.nextInt(500, 4000);
		int failures = (this.random.nextInt(100) == 0) ? this.random.nextInt(1, 3) : 0;
		return new Work(this.numbers.getAndIncrement(), this.traffic.brief() ? 0 : millis, failures);
	}

}
