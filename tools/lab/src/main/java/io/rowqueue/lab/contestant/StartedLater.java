package io.rowqueue.lab.contestant;

import org.springframework.context.support.DefaultLifecycleProcessor;

/**
 * Lets an application be there without its worker: the beans that run in the background
 * start when the context is started.
 */
public final class StartedLater extends DefaultLifecycleProcessor {

	@Override
	public void onRefresh() {
		// nothing is started
	}

}
