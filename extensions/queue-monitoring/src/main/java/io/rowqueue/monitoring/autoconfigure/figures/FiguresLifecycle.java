package io.rowqueue.monitoring.autoconfigure.figures;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.rowqueue.engine.figures.FiguresRecorder;
import io.rowqueue.engine.support.AwakeOnly;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.Loop;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.worker.WorkerPhase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Records figures in the background, the last ones after the worker has stopped. */
class FiguresLifecycle implements SmartLifecycle, AwakeOnly {

	private static final Logger logger = LoggerFactory.getLogger(FiguresLifecycle.class);

	private final Supplier<FiguresRecorder> recorders;

	private final Outage outage;

	/**
	 * Asked at each start: an application that was processed ahead of time has this bean.
	 */
	private final BooleanSupplier enabled;

	private @Nullable FiguresRecorder recorder;

	private @Nullable Loop loop;

	FiguresLifecycle(Supplier<FiguresRecorder> recorders, Outage outage, BooleanSupplier enabled) {
		this.recorders = recorders;
		this.outage = outage;
		this.enabled = enabled;
	}

	@Override
	public synchronized void start() {
		if (this.loop == null && this.enabled.getAsBoolean()) {
			FiguresRecorder started = this.recorders.get();
			this.recorder = started;
			this.loop = new Loop("rowqueue-figures", this.outage, started::pause, started::turn);
			this.loop.start();
		}
	}

	@Override
	public synchronized void stop() {
		if (this.loop != null && this.recorder != null) {
			this.loop.stop();
			end(this.loop, this.recorder);
			this.loop = null;
		}
	}

	private static void end(Loop loop, FiguresRecorder recorder) {
		try {
			loop.join(Duration.ofSeconds(1));
			recorder.end();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (RuntimeException ex) {
			logger.info("The figures of the last minute could not be recorded: {}", ErrorText.summaryOfRoot(ex));
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.loop != null;
	}

	/** It starts before the worker and stops after it. */
	@Override
	public int getPhase() {
		return WorkerPhase.PHASE - 10;
	}

}
