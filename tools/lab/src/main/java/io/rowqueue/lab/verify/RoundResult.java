package io.rowqueue.lab.verify;

import java.time.Duration;
import java.util.List;

import io.rowqueue.lab.verify.fault.Fault;
import io.rowqueue.lab.verify.fault.FaultEvent;
import io.rowqueue.lab.verify.verdict.Verdict;

/**
 * A round that took place.
 *
 * @param fault what was done
 * @param verdict the verdict
 * @param events what was done when
 * @param results what is shown of the whole round besides the verdict
 * @param began {@link System#nanoTime()} of its begin
 * @param took how long it took
 */
record RoundResult(Fault fault, Verdict verdict, List<FaultEvent> events, List<String> results, long began,
		Duration took) {

}
