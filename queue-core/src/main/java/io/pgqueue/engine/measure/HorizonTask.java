package io.pgqueue.engine.measure;

import java.time.Duration;
import java.util.List;

import io.pgqueue.engine.maintenance.PeriodicTask;
import io.pgqueue.engine.measure.HorizonWatch.Judgement;
import io.pgqueue.engine.support.ErrorText;
import io.pgqueue.engine.support.Pace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.TransientDataAccessException;

/**
 * Watches dead rows of the table of jobs: it names whoever keeps them from being removed
 * before there are too many, and removes them itself where autovacuum does not come round
 * to it and this role may.
 */
public final class HorizonTask extends PeriodicTask {

	private static final Duration INTERVAL = Duration.ofSeconds(30);

	private static final Duration BETWEEN_VACUUMS = Duration.ofMinutes(5);

	private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(10);

	private static final Logger logger = LoggerFactory.getLogger(HorizonTask.class);

	private final HorizonStore store;

	private final HorizonWatch watch = new HorizonWatch(System::nanoTime);

	private final Pace vacuum = new Pace(BETWEEN_VACUUMS);

	private final Pace warning = new Pace(BETWEEN_WARNINGS);

	private boolean warned;

	/**
	 * Creates the task.
	 * @param store looks and vacuums
	 */
	public HorizonTask(HorizonStore store) {
		super("horizon", INTERVAL);
		this.store = store;
	}

	/** A vacuum takes as long as a statement may, and jobs become due meanwhile. */
	@Override
	public boolean isLong() {
		return true;
	}

	@Override
	public Duration lookEvery() {
		return INTERVAL;
	}

	@Override
	public void run() {
		List<HorizonPin> pins = this.store.pins();
		Judgement judgement = this.watch.look(this.store.deadRows(), pins);
		if (!judgement.warning().isEmpty()) {
			if (!this.warned || this.warning.nextIfDue()) {
				logger.warn("{}", judgement.warning());
			}
			this.warned = true;
		}
		else if (this.warned) {
			this.warned = false;
			logger.info("Dead rows of the table of jobs can be removed again");
		}
		if (judgement.vacuum() && this.vacuum.nextIfDue()) {
			vacuum();
		}
	}

	private void vacuum() {
		logger.info("Autovacuum has not come round to the table of jobs; vacuuming it");
		try {
			this.store.vacuum();
		}
		catch (TransientDataAccessException ex) { // a big table; what was removed is gone
			logger.info("The vacuum of the table of jobs was cut short: {}", ErrorText.summary(ex));
		}
	}

}
