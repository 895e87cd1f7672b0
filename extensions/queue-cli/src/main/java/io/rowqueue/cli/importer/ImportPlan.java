package io.rowqueue.cli.importer;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.rowqueue.schedule.Rhythm;
import org.jspecify.annotations.Nullable;

/** What an import would do. */
public final class ImportPlan {

	private final List<Job> jobs = new ArrayList<>();

	private final List<Recurring> recurring = new ArrayList<>();

	private final List<Skipped> skipped = new ArrayList<>();

	/** Returns the waiting jobs. */
	public List<Job> jobs() {
		return this.jobs;
	}

	/** Returns the recurring jobs. */
	public List<Recurring> recurring() {
		return this.recurring;
	}

	/** Returns what cannot be imported. */
	public List<Skipped> skipped() {
		return this.skipped;
	}

	void skip(String source, String reason) {
		this.skipped.add(new Skipped(source, reason));
	}

	/**
	 * A waiting job.
	 *
	 * @param source its name in the other scheduler
	 * @param type the type of the job
	 * @param payload the payload as JSON, or {@code null}
	 * @param runAt when it is due, or {@code null} for now
	 * @param priority the priority
	 * @param uniqueKey the unique key, or {@code null}
	 * @param removal removes it from the other scheduler
	 */
	public record Job(String source, String type, @Nullable String payload, @Nullable Instant runAt, int priority,
			@Nullable String uniqueKey, Removal removal) {

	}

	/**
	 * A recurring job.
	 *
	 * @param source its name in the other scheduler, and the name of the schedule
	 * @param type the type of the jobs
	 * @param payload the payload as JSON, or {@code null}
	 * @param rhythm when the jobs are due
	 * @param removal removes it from the other scheduler
	 */
	public record Recurring(String source, String type, @Nullable String payload, Rhythm rhythm, Removal removal) {

	}

	/**
	 * What stays in the other scheduler.
	 *
	 * @param source its name
	 * @param reason why
	 */
	public record Skipped(String source, String reason) {

	}

}
