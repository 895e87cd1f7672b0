package io.rowqueue.dashboard.api.figures;

import java.time.Instant;
import java.util.List;

import io.rowqueue.engine.figures.ProcessStore;

/**
 * A deployment: the first process of a version started.
 *
 * @param at when
 * @param version the version
 */
public record Mark(Instant at, String version) {

	private static final int MAX_MARKS = 200;

	/** Restarts and further processes of a version are none. */
	static List<Mark> of(ProcessStore processes, Instant from) {
		return processes.deployments(from, MAX_MARKS)
			.stream()
			.map((process) -> new Mark(process.startedAt(), process.info().version()))
			.toList();
	}

}
