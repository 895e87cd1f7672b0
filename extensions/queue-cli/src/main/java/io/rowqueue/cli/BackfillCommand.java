package io.rowqueue.cli;

import java.io.PrintWriter;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

import io.rowqueue.schedule.Backfill;
import io.rowqueue.schedule.BackfillRange;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Enqueues jobs for past due times of a recurring job. */
@Command(name = "backfill", mixinStandardHelpOptions = true,
		description = "Counts past due times of a recurring job without a job, and enqueues jobs for them with --apply.")
final class BackfillCommand extends QueueCommand {

	@Parameters(paramLabel = "NAME", description = "The name of the recurring job.")
	private String name = "";

	@Option(names = "--from", required = true, description = "The earliest due time, such as 2026-12-01T00:00:00Z.")
	private OffsetDateTime from = OffsetDateTime.MIN;

	@Option(names = "--until", required = true, description = "The end: all due times are before.")
	private OffsetDateTime until = OffsetDateTime.MAX;

	@Option(names = "--again", description = "Also due times whose jobs have finished.")
	private boolean again;

	@Option(names = "--apply", description = "Enqueue the jobs.")
	private boolean apply;

	@Override
	int run(Queue queue, PrintWriter out) {
		BackfillRange range = new BackfillRange(instant(this.from), instant(this.until), this.again);
		Optional<Backfill> found = this.apply ? queue.schedules().backfill(this.name, range)
				: queue.schedules().previewBackfill(this.name, range);
		if (found.isEmpty()) {
			out.println("There is no recurring job '" + this.name + "'");
			return PROBLEM;
		}
		Backfill backfill = found.get();
		out.println(backfill.dueTimes() + " due times"
				+ ((backfill.first() != null) ? " from " + backfill.first() + " to " + backfill.last() : "") + ", "
				+ backfill.jobs() + (this.apply ? " jobs enqueued" : " jobs to enqueue: repeat it with --apply"));
		return OK;
	}

	private static Instant instant(OffsetDateTime time) {
		return time.toInstant();
	}

}
