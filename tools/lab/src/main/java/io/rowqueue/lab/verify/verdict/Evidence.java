package io.rowqueue.lab.verify.verdict;

import java.time.Duration;
import java.util.List;

import io.rowqueue.lab.verify.fault.FaultEvent;
import io.rowqueue.lab.verify.ledger.Entry;
import io.rowqueue.lab.verify.load.Load;

/**
 * All that is known about a round.
 *
 * @param entries the ledgers of producer and workers, by time
 * @param events what was done to the queue, by time
 * @param rows the queue's tables at the end
 * @param helped what an operator would have had to do manually
 * @param lease how long a worker that is not heard of keeps its jobs
 * @param load what the producers were to do
 * @param broker whether a broker carried jobs, and may have delivered some twice when it
 * was harmed
 */
public record Evidence(List<Entry> entries, List<FaultEvent> events, QueueRows rows, List<String> helped,
		Duration lease, Load load, boolean broker) {

}
