package io.rowqueue.test.shop;

import io.rowqueue.JobQueue;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.schedule.RecurringJob;
import org.springframework.stereotype.Component;

/** Writes reports. Its only handler is that of a recurring job. */
@Component
class Reports {

	private final JobLimits limits;

	private final JobQueue jobs;

	Reports(JobLimits limits, JobQueue jobs) {
		this.limits = limits;
		this.jobs = jobs;
	}

	@RecurringJob(name = "sales-report", cron = RecurringJob.NEVER)
	void write() {
		if (this.limits.list().isEmpty()) {
			this.jobs.enqueue("clean-up", null);
		}
	}

}
