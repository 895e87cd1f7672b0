package io.rowqueue.products;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

import io.rowqueue.products.Ledger.End;
import io.rowqueue.products.Ledger.Fate;
import io.rowqueue.products.Ledger.Foul;
import io.rowqueue.products.Ledger.Run;

/**
 * What came out of a run.
 *
 * @param committed enqueues whose commit was acknowledged
 * @param unknown enqueues whose outcome the caller does not know
 * @param rolledBack enqueues that were rolled back or refused
 * @param runs how often a handler began
 * @param threw how many of them threw an exception
 * @param interrupted how many of them may have lost their lease
 * @param fouls what must not be; empty if every promise was kept
 * @param report the same for people, with what is known of each job and how to repeat the
 * run; empty if there is nothing
 */
record ProductResult(long committed, long unknown, long rolledBack, long runs, long threw, long interrupted,
		List<Foul> fouls, String report) {

	private static final int MAX_DESCRIBED = 8;

	/** Counts what a ledger has, and describes what its judge has found. */
	static ProductResult of(Ledger ledger, Judge judge, String repeat) {
		List<Foul> fouls = List.copyOf(ledger.fouls());
		String described = fouls.stream().limit(MAX_DESCRIBED).map(judge::describe).collect(Collectors.joining());
		List<Run> runs = ledger.runs().values().stream().flatMap(Collection::stream).toList();
		return new ProductResult(count(ledger, Fate.COMMITTED), count(ledger, Fate.UNKNOWN),
				count(ledger, Fate.ROLLED_BACK), runs.size(),
				runs.stream().filter((run) -> run.end == End.THREW).count(),
				runs.stream().filter(Run::mayBeLost).count(), fouls, fouls.isEmpty() ? ""
						: "%d things are wrong. Repeat with %s\n%s".formatted(fouls.size(), repeat, described));
	}

	private static long count(Ledger ledger, Fate fate) {
		return ledger.entries().stream().filter((entry) -> entry.fate == fate).count();
	}

}
