package io.rowqueue.autoconfigure.worker;

import org.springframework.context.SmartLifecycle;

/**
 * Starts when everything else has started, and stops before anything else stops: jobs may
 * need all of it.
 */
public interface WorkerPhase extends SmartLifecycle {

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

	@Override
	default int getPhase() {
		return PHASE;
	}

}
