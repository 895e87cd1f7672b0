package io.rowqueue.kafka;

import java.util.BitSet;

/**
 * What a consumer group's commit says besides the lowest offset that is not settled. The
 * next owner of the partition reads it.
 *
 * @param orderly whether no job that is not settled has been started
 * @param bound records from this offset on have not been delivered
 * @param settled which records from the committed offset on are settled
 */
record CommitMetadata(boolean orderly, long bound, BitSet settled) {

	/** The broker keeps at most 4,096 bytes. */
	static final int MAX_LENGTH = 4_000;

	private static final String VERSION = "1";

	private static final int RADIX = Character.MAX_RADIX;

	/** Nothing was committed: nothing was delivered. */
	static CommitMetadata none(long offset) {
		return new CommitMetadata(true, offset, new BitSet());
	}

	/**
	 * Returns the text of a commit, such as {@code 1 o 1e 3,1,7,2,}: orderly; nothing
	 * from 50 (in base 36) beyond the committed offset on was delivered; three records
	 * are not settled, one is, seven are not, two are. If there is no room for all runs,
	 * the records of the others count as started.
	 */
	String encode(long committed) {
		StringBuilder runs = new StringBuilder();
		boolean complete = true;
		int from = 0;
		while (from < this.settled.length()) {
			int begin = this.settled.nextSetBit(from);
			int end = this.settled.nextClearBit(begin);
			String run = Integer.toString(begin - from, RADIX) + "," + Integer.toString(end - begin, RADIX) + ",";
			if (runs.length() + run.length() > MAX_LENGTH - 40) {
				complete = false;
				break;
			}
			runs.append(run);
			from = end;
		}
		return String.join(" ", VERSION, (this.orderly && complete) ? "o" : "d",
				Long.toString(Math.max(0, this.bound - committed), RADIX), runs);
	}

	/**
	 * Reads the metadata of a commit.
	 * @param committed the committed offset
	 * @param text its metadata; of another program if it is not in this form, so that
	 * nothing is known
	 */
	static CommitMetadata decode(long committed, String text) {
		String[] parts = text.split(" ", -1);
		if (parts.length != 4 || !parts[0].equals(VERSION)) {
			return none(committed);
		}
		BitSet settled = new BitSet();
		int at = 0;
		boolean set = false;
		for (String run : parts[3].split(",", -1)) {
			if (!run.isEmpty()) {
				int length = Integer.parseInt(run, RADIX);
				settled.set(at, at + length, set);
				at += length;
				set = !set;
			}
		}
		return new CommitMetadata(parts[1].equals("o"), committed + Long.parseLong(parts[2], RADIX), settled);
	}

}
