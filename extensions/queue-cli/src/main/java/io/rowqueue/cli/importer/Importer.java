package io.rowqueue.cli.importer;

import java.sql.Timestamp;

import io.rowqueue.JobRequest;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.ScheduleStatus.Source;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.transaction.support.TransactionOperations;

/** Carries out a plan in one transaction: each job is moved completely or not at all. */
public final class Importer {

	private static final String ENQUEUE = """
			select %s.enqueue(?, ?::json, priority => ?, run_at => ?, unique_key => ?, wake_up => false)""";

	private final JdbcOperations jdbc;

	private final TransactionOperations transactions;

	private final Schedules schedules;

	private final String enqueue;

	/**
	 * Creates the importer.
	 * @param jdbc the database
	 * @param transactions its transactions
	 * @param schedules stores recurring jobs, in the same transactions
	 * @param schema the schema of the queue
	 */
	public Importer(JdbcOperations jdbc, TransactionOperations transactions, Schedules schedules, SchemaName schema) {
		this.jdbc = jdbc;
		this.transactions = transactions;
		this.schedules = schedules;
		this.enqueue = ENQUEUE.formatted(schema.quoted());
	}

	/**
	 * Moves the jobs and schedules of a plan, except those that the other scheduler has
	 * taken or changed since the plan was made.
	 * @param plan the plan
	 * @param keep whether they also stay in the other scheduler
	 * @return the number of jobs and schedules that were moved
	 */
	public int run(ImportPlan plan, boolean keep) {
		Integer moved = this.transactions.execute((status) -> {
			int count = 0;
			for (ImportPlan.Job job : plan.jobs()) {
				if (keep || job.removal().run(this.jdbc)) {
					enqueue(job);
					count++;
				}
			}
			for (ImportPlan.Recurring recurring : plan.recurring()) {
				if (keep || recurring.removal().run(this.jdbc)) {
					put(recurring);
					count++;
				}
			}
			return count;
		});
		return (moved != null) ? moved : 0;
	}

	private void enqueue(ImportPlan.Job job) {
		this.jdbc.query(this.enqueue, (row) -> {
		}, job.type(), job.payload(), job.priority(), (job.runAt() != null) ? Timestamp.from(job.runAt()) : null,
				job.uniqueKey());
	}

	/**
	 * What the application declares with the same name replaces the imported schedule.
	 */
	private void put(ImportPlan.Recurring recurring) {
		String name = recurring.source();
		if (this.schedules.find(name).filter((found) -> found.source() != Source.CODE).isEmpty()) {
			this.schedules
				.put(Schedule.of(name, recurring.rhythm(), JobRequest.of(recurring.type(), tree(recurring.payload()))));
		}
	}

	private static @Nullable Object tree(@Nullable String json) {
		return (json != null) ? StoredData.JSON.readTree(json) : null;
	}

}
