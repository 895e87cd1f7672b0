package io.rowqueue.engine.measure;

import java.time.Duration;
import java.util.List;

import io.rowqueue.engine.maintenance.PeriodicTask;
import io.rowqueue.engine.measure.HorizonWatch.Judgement;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.Pace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.TransientDataAccessException;

/**
 * Watches the dead rows of the table of jobs. It warns in time if something prevents
 * their removal, and removes them itself if autovacuum does not and the role may do so.
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
	 * @param store reads and removes dead rows
	 */
	public HorizonTask(HorizonStore store) {
		super("horizon", INTERVAL);
		this.store = store;
	}

	/**
	 * Runs in its own thread, since a vacuum takes time and jobs become due meanwhile.
	 */
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
		logger.info("Autovacuum has not processed the table of jobs; vacuuming it");
		try {
			this.store.vacuum();
		}
		catch (TransientDataAccessException ex) {
			// the table is large; rows that were removed before the timeout stay removed
			logger.info("The vacuum of the table of jobs was interrupted: {}", ErrorText.summary(ex));
		}
	}

}
