package io.rowqueue.engine.figures;

import io.rowqueue.engine.support.ErrorText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Whether the role may write figures. The queue works without them, so a role that may
 * not is no problem: that is logged once, and not tried again.
 */
public final class FigureRights {

	private static final Logger logger = LoggerFactory.getLogger(FigureRights.class);

	private volatile boolean refused;

	/** Returns whether the database has refused to let the role write figures. */
	boolean areMissing() {
		return this.refused;
	}

	/** Writes figures, unless the role may not. */
	void use(Runnable work) {
		if (this.refused) {
			return;
		}
		try {
			work.run();
		}
		catch (DataAccessException ex) {
			if (!TallyStore.isRefused(ex)) {
				throw ex;
			}
			if (!this.refused) {
				this.refused = true;
				logger
					.warn("This process records no figures: its role may not write the tables tally, gauge, process and"
							+ " error_group ({}). Grant select, insert, update and delete on them and restart, or set"
							+ " rowqueue.figures.enabled to false. Nothing else needs these tables",
							ErrorText.summaryOfRoot(ex));
			}
		}
	}

}
