package io.rowqueue.dashboard.api.queue;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rowqueue.limit.Hold;

/**
 * A hold, and an id that says nothing of its name: the time when it was held, and its
 * position among those that were held at that time.
 *
 * @param id the id
 * @param hold the hold
 */
record HeldNow(String id, Hold hold) {

	static List<HeldNow> of(List<Hold> holds) {
		Map<Instant, Integer> positions = new HashMap<>();
		List<HeldNow> held = new ArrayList<>();
		for (Hold hold : holds) {
			int position = positions.merge(hold.heldAt(), 1, Integer::sum);
			held.add(new HeldNow(ChronoUnit.MICROS.between(Instant.EPOCH, hold.heldAt()) + "-" + position, hold));
		}
		return held;
	}

}
