package io.rowqueue.engine.attempt;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.rowqueue.StopReason;
import io.rowqueue.engine.lease.JobLogStore;
import io.rowqueue.engine.lease.LeaseStore;
import io.rowqueue.engine.lease.LogPart;
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

	/** How much of logs one statement writes, about. */
	private static final int MAX_CHARACTERS = 1024 * 1024;

	private final LeaseStore store;

	private final JobLogStore logs;

	private final long workerId;

	public ReportWriter(LeaseStore store, long workerId) {
		this.store = store;
		this.logs = store.logs();
		this.workerId = workerId;
	}

	/** Writes what the handlers of jobs have reported while they run. */
	public void write(Collection<ActiveJob> jobs) {
		writeProgress(jobs);
		writeLogs(jobs, false);
	}

	/** Writes what is left when the handlers of jobs have ended. */
	public void writeLast(Collection<ActiveJob> jobs) {
		writeProgress(jobs);
		writeLogs(jobs, true);
	}

	private void writeProgress(Collection<ActiveJob> jobs) {
		Map<ActiveJob, ProgressReport> reports = new LinkedHashMap<>();
		for (ActiveJob job : jobs) {
			ProgressReport report = job.reports().unwrittenProgress();
			if (report != null && job.isLeased()) {
				reports.put(job, report);
			}
		}
		write(reports, (all) -> this.store.progress(this.workerId, all), ReportWriter::plain, HandlerReports::written);
	}

	/**
	 * Writes the next lines of each job.
	 * @param ended whether the handlers have ended, so that all lines that are left are
	 * written
	 */
	private void writeLogs(Collection<ActiveJob> jobs, boolean ended) {
		Deque<ActiveJob> left = new ArrayDeque<>();
		for (ActiveJob job : jobs) {
			if (job.reports().log() != null && job.isLeased()) {
				left.add(job);
			}
		}
		while (!left.isEmpty()) {
			Map<ActiveJob, LogPart> parts = next(left, ended);
			if (!write(parts, (all) -> this.logs.write(this.workerId, all), ReportWriter::plain,
					HandlerReports::written)) {
				return;
			}
			if (ended) { // there may be lines behind those whose write has failed
				left.addAll(parts.keySet());
			}
		}
	}

	private static Map<ActiveJob, LogPart> next(Deque<ActiveJob> left, boolean ended) {
		Map<ActiveJob, LogPart> parts = new LinkedHashMap<>();
		int characters = 0;
		while (characters < MAX_CHARACTERS && !left.isEmpty()) {
			ActiveJob job = left.remove();
			LogPart part = job.reports().begunLog().next(ended);
			if (part != null) {
				parts.put(job, part);
				characters += part.lines().length();
			}
		}
		return parts;
	}

	/**
	 * Writes one report of each job.
	 * @param statement writes reports, and returns the ids of the jobs whose lease is
	 * held
	 * @param plain the same report for a database whose encoding lacks a character of it
	 * @param written takes what is written, or never will be
	 * @return whether reports can be written
	 */
	private static <R> boolean write(Map<ActiveJob, R> reports, Function<List<R>, List<Long>> statement,
			UnaryOperator<R> plain, BiConsumer<HandlerReports, R> written) {
		if (reports.isEmpty()) {
			return true;
		}
		Set<Long> held;
		try {
			held = new HashSet<>(write(List.copyOf(reports.values()), statement, plain));
		}
		catch (DataAccessException ex) {
			logger.debug("What {} have reported could not be written", reports.keySet(), ex);
			return false;
		}
		reports.forEach((job, report) -> {
			written.accept(job.reports(), report);
			if (!held.contains(job.id())) { // or it has ended meanwhile: then nothing
											// reads it
				job.interrupt(StopReason.LEASE_LOST);
			}
		});
		return true;
	}

	private static <R> List<Long> write(List<R> reports, Function<List<R>, List<Long>> statement,
			UnaryOperator<R> plain) {
		try {
			return statement.apply(reports);
		}
		catch (DataIntegrityViolationException ex) {
			logger.debug("The reports are written in ASCII", ex);
			return statement.apply(reports.stream().map(plain).toList());
		}
	}

	private static ProgressReport plain(ProgressReport report) {
		String message = report.message();
		return (message == null) ? report : new ProgressReport(report.lease(), report.revision(), report.done(),
				report.total(), ErrorText.plain(message));
	}

	private static LogPart plain(LogPart part) {
		return new LogPart(part.lease(), part.number(), ErrorText.plain(part.lines()));
	}

}
