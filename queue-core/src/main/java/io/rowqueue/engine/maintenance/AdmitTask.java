package io.rowqueue.engine.maintenance;

import java.time.Duration;

import io.rowqueue.engine.limit.LimitAdmission;
import io.rowqueue.engine.limit.AdmissionStore;

/** Has one process of the cluster admit the jobs with limit keys that are left. */
public final class AdmitTask extends PeriodicTask {

	private static final Duration INTERVAL = Duration.ofMillis(400);

	private final LimitAdmission admission;

	/**
	 * Creates the task.
	 * @param admission admits them
	 */
	public AdmitTask(LimitAdmission admission) {
		super("admit", INTERVAL, AdmissionStore.ADMISSIONS);
		this.admission = admission;
	}

	@Override
	public void run() {
		this.admission.runMaintenance();
	}

}
