package io.rowqueue.dashboard.api;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.figures.ErrorGroupStore;
import io.rowqueue.engine.figures.GaugeStore;
import io.rowqueue.engine.figures.ProcessStore;
import io.rowqueue.engine.figures.TallyStore;
import io.rowqueue.engine.measure.TableStore;

/**
 * What reads figures over time.
 *
 * @param tallies what ended
 * @param gauges what was measured
 * @param processes which processes ran
 * @param errors failures with the same cause
 * @param tables the tables of the queue, and who waits for locks
 */
public record FigureReaders(TallyStore tallies, GaugeStore gauges, ProcessStore processes, ErrorGroupStore errors,
		TableStore tables) {

	/** Returns readers over the dashboard's own connections. */
	public static FigureReaders of(QueueDatabase database) {
		return new FigureReaders(new TallyStore(database), new GaugeStore(database), new ProcessStore(database),
				new ErrorGroupStore(database), new TableStore(database));
	}

}
