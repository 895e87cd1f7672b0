package io.rowqueue.lab.verify.ledger;

import java.util.Optional;

/**
 * One line of a ledger.
 *
 * @param nanos {@link System#nanoTime()}, which the processes of one machine share
 * @param process who wrote it
 * @param event what happened
 * @param number the number of the job, in its payload; 0 if there is none
 * @param batch the first number of those that were enqueued together; 0 if there is none
 * @param job the id of the job; 0 if unknown
 * @param attempt the attempt; 0 if there is none
 * @param lease the lease token of the attempt; 0 if there is none
 */
public record Entry(long nanos, String process, Event event, int number, int batch, long job, int attempt, int lease) {

	private static final int FIELDS = 7;

	String toLine() {
		return this.nanos + "\t" + this.event + "\t" + this.number + "\t" + this.batch + "\t" + this.job + "\t"
				+ this.attempt + "\t" + this.lease + "\n";
	}

	/** A line that a killed process left unfinished is none. */
	static Optional<Entry> parse(String process, String line) {
		String[] fields = line.split("\t", -1);
		if (fields.length != FIELDS || fields[FIELDS - 1].isEmpty()) {
			return Optional.empty();
		}
		return Optional.of(new Entry(Long.parseLong(fields[0]), process, Event.valueOf(fields[1]),
				Integer.parseInt(fields[2]), Integer.parseInt(fields[3]), Long.parseLong(fields[4]),
				Integer.parseInt(fields[5]), Integer.parseInt(fields[6])));
	}

}
