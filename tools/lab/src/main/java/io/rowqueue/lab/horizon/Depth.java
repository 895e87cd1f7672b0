package io.rowqueue.lab.horizon;

import io.rowqueue.admin.JobCount;
import io.rowqueue.admin.QueueOverview;
import org.springframework.context.ApplicationContext;
import org.springframework.dao.DataAccessException;

/** How many jobs wait, as the public API tells. */
final class Depth {

	private final QueueOverview overview;

	private Depth(QueueOverview overview) {
		this.overview = overview;
	}

	static Depth of(ApplicationContext application) {
		return new Depth(application.getBean(QueueOverview.class));
	}

	/** Takes the number over; while the database is away, the last one remains. */
	void read(Samples samples) {
		try {
			samples.depth(this.overview.jobs()
				.stream()
				.filter((count) -> count.state().equals("queued"))
				.mapToLong(JobCount::jobs)
				.sum());
		}
		catch (DataAccessException ex) {
			System.err.println("The depth is not known: " + ex.getMessage());
		}
	}

}
