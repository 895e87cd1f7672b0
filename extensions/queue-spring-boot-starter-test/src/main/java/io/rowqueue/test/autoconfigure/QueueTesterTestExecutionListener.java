package io.rowqueue.test.autoconfigure;

import io.rowqueue.test.QueueTester;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/** Notifies the tester, if there is one, of the beginning of a test. */
class QueueTesterTestExecutionListener extends AbstractTestExecutionListener {

	/** Runs before Spring begins the transaction of a test and runs its scripts. */
	private static final int ORDER = 3900;

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public void beforeTestMethod(TestContext context) {
		if (context.hasApplicationContext()) {
			context.getApplicationContext().getBeanProvider(QueueTester.class).ifAvailable(QueueTester::begin);
		}
	}

}
