package io.pgqueue.engine.attempt;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.pgqueue.StopReason;
import io.pgqueue.engine.lease.LeaseStore;
import io.pgqueue.engine.lease.ProgressReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Writes the progress that handlers have reported since the last time, many at once. A
 * handler whose report is refused is stopped: its job is another worker's. Nothing
 * depends on it, so it never fails: what could not be written is new the next time.
 */
public final class ProgressWriter {

	private static final Logger logger = LoggerFactory.getLogger(ProgressWriter.class);

	private final LeaseStore store;

	private final long workerId;

	public ProgressWriter(LeaseStore store, long workerId) {
		this.store = store;
		this.workerId = workerId;
	}

	public void write(Collection<ActiveJob> jobs) {
		List<ActiveJob> changed = new ArrayList<>();
		List<ProgressReport> reports = new ArrayList<>();
		for (ActiveJob job : jobs) {
			ProgressReport report = job.progress().unwritten();
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
			held = new HashSet<>(this.store.progress(this.workerId, reports));
		}
		catch (DataAccessException ex) {
			logger.debug("The progress of {} could not be written", changed, ex);
			return;
		}
		for (int i = 0; i < reports.size(); i++) {
			ActiveJob job = changed.get(i);
			job.progress().written(reports.get(i));
			if (!held.contains(job.id())) { // or it has ended meanwhile: then its
											// progress is not read
				job.interrupt(StopReason.LEASE_LOST);
			}
		}
	}

}
