package io.rowqueue.test.autoconfigure;

import io.rowqueue.test.recording.RecordingJobQueue;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/** Forgets the jobs that a test has recorded, since tests share a context. */
class RecordedJobsTestExecutionListener extends AbstractTestExecutionListener {

	/** Runs after Spring has ended the transaction of a test. */
	private static final int ORDER = 3900;

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public void afterTestMethod(TestContext context) {
		if (context.hasApplicationContext()) {
			context.getApplicationContext()
				.getBeanProvider(RecordingJobQueue.class)
				.ifAvailable(RecordingJobQueue::clear);
		}
	}

}
