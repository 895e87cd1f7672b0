package io.pgqueue.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

import io.pgqueue.EnqueueResult;
import io.pgqueue.EnqueueResult.Outcome;
import io.pgqueue.FlowResult;
import io.pgqueue.JobRequest;
import io.pgqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Stores new jobs: those without a unique key by a plain insert, those with one by a
 * function of the database, which looks again after each wait for another transaction.
 * Keys are taken in one order, so that two bulk enqueues cannot deadlock.
 */
final class EnqueueStatement {

	private final InsertStatement insert;

	private final LimitedInsertStatement limited;

	private final KeyedStatement keyed;

	private final TrackedInsertStatement tracked;

	private final DependStatement depend;

	private final FlowStatement flow;

	private final BatchStatement batch;

	EnqueueStatement(JdbcOperations jdbc, SchemaName schema, KeptJobs kept) {
		this.insert = new InsertStatement(jdbc, schema);
		this.limited = new LimitedInsertStatement(jdbc, schema);
		this.keyed = new KeyedStatement(jdbc, schema);
		this.tracked = new TrackedInsertStatement(jdbc, schema);
		this.depend = new DependStatement(jdbc, schema, kept);
		this.flow = new FlowStatement(jdbc, schema, this.tracked, this.depend);
		this.batch = new BatchStatement(jdbc, schema, this.tracked, this.depend);
	}

	BatchStatement batch() {
		return this.batch;
	}

	FlowResult execute(String flow, List<NewStep> steps) {
		return this.flow.execute(flow, steps);
	}

	List<EnqueueResult> execute(List<NewJob> jobs) {
		@Nullable EnqueueResult[] results = new EnqueueResult[jobs.size()];
		List<Integer> plain = new ArrayList<>(jobs.size());
		List<Integer> limited = new ArrayList<>(0);
		List<Integer> keyed = new ArrayList<>();
		List<Integer> dependent = new ArrayList<>(0);
		for (int i = 0; i < jobs.size(); i++) {
			JobRequest request = jobs.get(i).request();
			(request.unique() != null ? keyed : !request.predecessors().ids().isEmpty() ? dependent
					: (request.limitKey() != null) ? limited : plain)
				.add(i);
		}
		insert(this.insert::execute, jobs, plain, results);
		insert(this.limited::execute, jobs, limited, results);
		insert(this::dependent, jobs, dependent, results);
		keyed.sort(Comparator.comparing((index) -> key(jobs.get(index))));
		for (int from = 0; from < keyed.size();) {
			List<Integer> together = keyed.subList(from, endOfRun(jobs, keyed, from));
			put(results, together, this.keyed.execute(select(jobs, together)));
			from += together.size();
		}
		return List.of(results).stream().map(Objects::requireNonNull).toList();
	}

	private List<Long> dependent(List<NewJob> jobs) {
		List<Long> ids = this.tracked.execute(jobs, Collections.nCopies(jobs.size(), true), null);
		this.depend.execute(DependStatement.of(jobs, ids));
		return ids;
	}

	private static void insert(Function<List<NewJob>, List<Long>> statement, List<NewJob> jobs, List<Integer> indexes,
			@Nullable EnqueueResult[] results) {
		if (!indexes.isEmpty()) {
			List<Long> ids = statement.apply(select(jobs, indexes));
			put(results, indexes, ids.stream().map((id) -> new EnqueueResult(id, Outcome.CREATED)).toList());
		}
	}

	/** One that merges is alone: the next one with its key is to see the result. */
	private static int endOfRun(List<NewJob> jobs, List<Integer> keyed, int from) {
		int end = from + 1;
		if (jobs.get(keyed.get(from)).merge() == null) {
			while (end < keyed.size() && jobs.get(keyed.get(end)).merge() == null) {
				end++;
			}
		}
		return end;
	}

	private static String key(NewJob job) {
		return Optional.ofNullable(job.request().uniqueKey()).orElseThrow();
	}

	private static List<NewJob> select(List<NewJob> jobs, List<Integer> indexes) {
		return indexes.stream().map(jobs::get).toList();
	}

	private static void put(@Nullable EnqueueResult[] all, List<Integer> indexes, List<EnqueueResult> results) {
		for (int i = 0; i < results.size(); i++) {
			all[indexes.get(i)] = results.get(i);
		}
	}

}
