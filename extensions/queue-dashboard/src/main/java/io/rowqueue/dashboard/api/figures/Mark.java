package io.rowqueue.dashboard.api.figures;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.rowqueue.engine.figures.ProcessRecord;
import io.rowqueue.engine.figures.ProcessStore;

/**
 * A deployment: the first process of a version started.
 *
 * @param at when
 * @param version the version
 */
public record Mark(Instant at, String version) {

	private static final int MAX_PROCESSES = 1000;

	/** Restarts and further processes of a version are none. */
	static List<Mark> of(ProcessStore processes, Instant from) {
		List<ProcessRecord> started = new ArrayList<>(processes.since(from, MAX_PROCESSES));
		Collections.reverse(started);
		List<Mark> marks = new ArrayList<>();
		String running = null;
		for (ProcessRecord process : started) {
			String version = process.info().version();
			if (!version.isEmpty() && !version.equals(running)) {
				if (!process.startedAt().isBefore(from)) {
					marks.add(new Mark(process.startedAt(), version));
				}
				running = version;
			}
		}
		return marks;
	}

}
