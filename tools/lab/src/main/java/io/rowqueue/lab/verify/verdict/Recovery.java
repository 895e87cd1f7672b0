package io.rowqueue.lab.verify.verdict;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.rowqueue.lab.verify.fault.FaultEvent;
import io.rowqueue.lab.verify.fault.FaultEvent.Kind;
import io.rowqueue.lab.verify.ledger.Entry;
import io.rowqueue.lab.verify.ledger.Event;

/** How long it took until the queue had got over what was done to it. */
final class Recovery {

	private final List<FaultEvent> events;

	private final List<Entry> entries;

	Recovery(List<FaultEvent> events, List<Entry> entries) {
		this.events = events;
		this.entries = entries;
	}

	Optional<Duration> longest() {
		return this.events.stream().map(this::after).flatMap(Optional::stream).max(Duration::compareTo);
	}

	private Optional<Duration> after(FaultEvent event) {
		if (event.kind() == Kind.HEALED && event.process() == null) {
			// until the next job ends
			return this.entries.stream()
				.filter((entry) -> entry.event() == Event.ENDED && entry.nanos() > event.nanos())
				.findFirst()
				.map((entry) -> Duration.ofNanos(entry.nanos() - event.nanos()));
		}
		if (event.kind() == Kind.HARM && event.process() != null) {
			// until all that ran there run elsewhere
			Set<Long> cut = cutShort(event.process(), event.nanos());
			return this.entries.stream()
				.filter((entry) -> entry.event() == Event.BEGUN && entry.nanos() > event.nanos())
				.filter((entry) -> !entry.process().equals(event.process()) && cut.remove(entry.job()))
				.map((entry) -> Duration.ofNanos(entry.nanos() - event.nanos()))
				.max(Duration::compareTo);
		}
		return Optional.empty();
	}

	private Set<Long> cutShort(String process, long nanos) {
		Set<Long> running = new HashSet<>();
		for (Entry entry : this.entries) {
			if (entry.process().equals(process) && entry.nanos() < nanos) {
				if (entry.event() == Event.BEGUN) {
					running.add(entry.job());
				}
				else {
					running.remove(entry.job());
				}
			}
		}
		return running;
	}

}
