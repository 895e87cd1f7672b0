package io.rowqueue.engine.attempt;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.rowqueue.StopReason;
import io.rowqueue.engine.lease.LeaseStore;
import io.rowqueue.engine.lease.ProgressReport;
import io.rowqueue.engine.support.ErrorText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;

/**
 * Writes the progress and the log lines that handlers have reported since the last time,
 * those of many jobs at once. A handler whose report is refused is stopped: its job is
 * another worker's. Nothing depends on it, so it never fails: what could not be written
 * is new the next time.
 */
public final class ReportWriter {

	private static final Logger logger = LoggerFactory.getLogger(ReportWriter.class);

	private final LeaseStore store;

	private final long workerId;

	private final JobLogWriter logs;

	public ReportWriter(LeaseStore store, long workerId) {
		this.store = store;
		this.logs = new JobLogWriter(store.logs(), workerId);
		this.workerId = workerId;
	}

	/** Writes what the handlers of jobs have reported while they run. */
	public void write(Collection<ActiveJob> jobs) {
		writeProgress(jobs);
		this.logs.write(jobs, false);
	}

	/** Writes what is left when the handlers of jobs have ended. */
	public void writeLast(Collection<ActiveJob> jobs) {
		writeProgress(jobs);
		this.logs.write(jobs, true);
	}

	private void writeProgress(Collection<ActiveJob> jobs) {
		List<ActiveJob> changed = new ArrayList<>();
		List<ProgressReport> reports = new ArrayList<>();
		for (ActiveJob job : jobs) {
			ProgressReport report = job.reports().unwrittenProgress();
			if (report != null && job.isLeased()) {
				changed.add(job);
				reports.add(report);
			}
		}
		if (reports.isEmpty()) {
			return;
		}
		Set<Long> held;
		try {
			held = new HashSet<>(write(reports));
		}
		catch (DataAccessException ex) {
			logger.debug("The progress of {} could not be written", changed, ex);
			return;
		}
		for (int i = 0; i < reports.size(); i++) {
			ActiveJob job = changed.get(i);
			job.reports().written(reports.get(i));
			if (!held.contains(job.id())) {
				// or it has ended meanwhile: then its progress is not read
				job.interrupt(StopReason.LEASE_LOST);
			}
		}
	}

	/** A database whose encoding lacks a character gets the messages without that. */
	private List<Long> write(List<ProgressReport> reports) {
		try {
			return this.store.progress(this.workerId, reports);
		}
		catch (DataIntegrityViolationException ex) {
			logger.debug("The messages are written in ASCII", ex);
			return this.store.progress(this.workerId, reports.stream().map(ReportWriter::plain).toList());
		}
	}

	private static ProgressReport plain(ProgressReport report) {
		String message = report.message();
		return (message == null) ? report : new ProgressReport(report.lease(), report.revision(), report.done(),
				report.total(), ErrorText.plain(message));
	}

}
