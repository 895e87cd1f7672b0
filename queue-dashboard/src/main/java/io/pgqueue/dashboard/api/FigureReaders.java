package io.pgqueue.dashboard.api;

import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.figures.ErrorGroupStore;
import io.pgqueue.engine.figures.GaugeStore;
import io.pgqueue.engine.figures.ProcessStore;
import io.pgqueue.engine.figures.TallyStore;

/**
 * What reads figures over time.
 *
 * @param tallies what ended
 * @param gauges what was measured
 * @param processes which processes ran
 * @param errors failures with the same cause
 */
public record FigureReaders(TallyStore tallies, GaugeStore gauges, ProcessStore processes, ErrorGroupStore errors) {

	/** Returns readers over the dashboard's own connections. */
	public static FigureReaders of(QueueDatabase database) {
		return new FigureReaders(new TallyStore(database), new GaugeStore(database), new ProcessStore(database),
				new ErrorGroupStore(database));
	}

}
