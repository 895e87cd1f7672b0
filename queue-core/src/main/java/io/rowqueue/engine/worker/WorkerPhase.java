package io.rowqueue.engine.worker;

import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.Ordered;

/**
 * Starts when everything else has started, and stops before anything else stops: jobs may
 * need all of it. Schedulers and strict executors refuse tasks as soon as they learn that
 * their context closes, before any phase stops, so that jobs finish before that.
 */
public interface WorkerPhase extends SmartLifecycle, ApplicationListener<ContextClosedEvent>, Ordered {

	/** After the web server, whose port a job may want to know. */
	int PHASE = DEFAULT_PHASE - 100;

	/** Uses its own thread, so that other beans of this phase stop meanwhile. */
	@Override
	default void stop(Runnable callback) {
		new Thread(() -> {
			try {
				stop();
			}
			finally {
				callback.run();
			}
		}, "rowqueue-shutdown").start();
	}

	/** Not when a child of its context closes. */
	@Override
	default void onApplicationEvent(ContextClosedEvent event) {
		if (event.getApplicationContext().getBeansOfType(WorkerPhase.class, true, false).containsValue(this)) {
			stop();
		}
	}

	/** Before the schedulers. */
	@Override
	default int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	@Override
	default int getPhase() {
		return PHASE;
	}

}
