package io.pgqueue.lab.verify.load;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.pgqueue.EnqueueResult;
import io.pgqueue.JobQueue;
import io.pgqueue.JobRequest;
import io.pgqueue.lab.verify.ledger.Event;
import io.pgqueue.lab.verify.ledger.LedgerFile;
import io.pgqueue.lab.verify.site.Site;
import io.pgqueue.lab.verify.worker.Work;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The ways of one thread to enqueue, each written down before and after. */
final class Enqueue {

	private static final String SILENTLY = "select " + Site.SCHEMA
			+ ".enqueue(?, json_build_object('number', ?::int, 'millis', ?::int, 'failures', ?::int), wake_up => false)";

	private final JobQueue queue;

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
		List<String> chosen = new ArrayList<>();
		List<Work> work = new ArrayList<>();
		int way = this.random.nextInt(100);
		int count = (!silent && way < this.traffic.batches()) ? this.traffic.batch() : 1;
		for (int i = 0; i < count; i++) {
			chosen.add(types.get(this.random.nextInt(types.size())));
			work.add(work());
		}
		boolean rollBack = !silent && way >= 95;
		int batch = work.get(0).number();
		work.forEach((each) -> this.ledger.append(Event.TRIED, each.number(), batch, 0));
		try {
			List<Long> ids = silent ? silently(chosen.get(0), work.get(0)) : together(chosen, work, rollBack);
			for (int i = 0; i < count; i++) {
				this.ledger.append(rollBack ? Event.ROLLED_BACK : Event.ACKNOWLEDGED, work.get(i).number(), batch,
						ids.get(i));
			}
		}
		catch (RuntimeException ex) { // whether a fault explains it is judged in the end
			this.errors.append(work.stream().map(Work::number).toList(), ex);
			work.forEach((each) -> this.ledger.append(rollBack ? Event.ROLLED_BACK : Event.UNKNOWN, each.number(),
					batch, 0));
		}
		return count;
	}

	private List<Long> silently(String type, Work work) {
		return this.jdbc.query(SILENTLY, (row, index) -> row.getLong(1), type, work.number(), work.millis(),
				work.failures());
	}

	private List<Long> together(List<String> types, List<Work> work, boolean rollBack) {
		List<JobRequest> requests = new ArrayList<>();
		for (int i = 0; i < work.size(); i++) {
			JobRequest request = JobRequest.of(types.get(i), work.get(i));
			boolean keyed = work.size() == 1 && this.traffic.keys() > 0 && this.random.nextBoolean();
			requests.add(keyed ? request.limitKey("key:" + this.random.nextInt(this.traffic.keys())) : request);
		}
		Supplier<List<EnqueueResult>> enqueue = () -> (requests.size() == 1)
				? List.of(this.queue.enqueue(requests.get(0))) : this.queue.enqueueAll(requests);
		List<EnqueueResult> results = rollBack ? List.of() : enqueue.get();
		if (rollBack) {
			results = this.transactions.execute((transaction) -> {
				transaction.setRollbackOnly();
				return enqueue.get();
			});
		}
		return results.stream().map(EnqueueResult::id).toList();
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
