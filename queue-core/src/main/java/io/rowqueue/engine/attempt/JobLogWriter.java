package io.rowqueue.engine.attempt;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.rowqueue.StopReason;
import io.rowqueue.engine.lease.JobLogStore;
import io.rowqueue.engine.lease.LogPart;
import io.rowqueue.engine.support.ErrorText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;

/**
 * Writes the lines that handlers have logged for their jobs, those of many jobs at once.
 * Nothing depends on it, so it never fails: what could not be written is written the next
 * time.
 */
final class JobLogWriter {

	private static final Logger logger = LoggerFactory.getLogger(JobLogWriter.class);

	/** In one statement, about. */
	private static final int MAX_CHARACTERS = 1024 * 1024;

	private final JobLogStore store;

	private final long workerId;

	JobLogWriter(JobLogStore store, long workerId) {
		this.store = store;
		this.workerId = workerId;
	}

	/**
	 * Writes the next lines of each job.
	 * @param ended whether the handlers have ended, so that all lines that are left are
	 * written
	 */
	void write(Collection<ActiveJob> jobs, boolean ended) {
		Deque<ActiveJob> left = new ArrayDeque<>();
		for (ActiveJob job : jobs) {
			if (job.reports().log() != null && job.isLeased()) {
				left.add(job);
			}
		}
		boolean available = true;
		while (available && !left.isEmpty()) {
			available = writeNext(left, ended);
		}
	}

	/** Returns whether lines can be written. */
	private boolean writeNext(Deque<ActiveJob> left, boolean ended) {
		List<ActiveJob> logged = new ArrayList<>();
		List<LogPart> parts = new ArrayList<>();
		int characters = 0;
		while (characters < MAX_CHARACTERS && !left.isEmpty()) {
			ActiveJob job = left.remove();
			AttemptLog log = job.reports().log();
			LogPart part = (log != null) ? log.next(ended) : null;
			if (part != null) {
				logged.add(job);
				parts.add(part);
				characters += part.lines().length();
			}
		}
		if (parts.isEmpty()) {
			return true;
		}
		Set<Long> held;
		try {
			held = new HashSet<>(write(parts));
		}
		catch (DataAccessException ex) {
			logger.debug("The log of {} could not be written", logged, ex);
			return false;
		}
		for (int i = 0; i < parts.size(); i++) {
			ActiveJob job = logged.get(i);
			job.reports().written(parts.get(i));
			if (!held.contains(job.id())) { // or it has ended meanwhile
				job.interrupt(StopReason.LEASE_LOST);
			}
			else if (ended) { // there may be lines behind those whose write has failed
				left.add(job);
			}
		}
		return true;
	}

	/** A database whose encoding lacks a character gets the lines without that. */
	private List<Long> write(List<LogPart> parts) {
		try {
			return this.store.write(this.workerId, parts);
		}
		catch (DataIntegrityViolationException ex) {
			logger.debug("The lines are written in ASCII", ex);
			return this.store.write(this.workerId,
					parts.stream()
						.map((part) -> new LogPart(part.lease(), part.number(), ErrorText.plain(part.lines())))
						.toList());
		}
	}

}
