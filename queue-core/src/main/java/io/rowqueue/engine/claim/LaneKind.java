package io.rowqueue.engine.claim;

/**
 * How the jobs of a lane are claimed.
 *
 * @param callSize how many jobs one call of the handler gets at most
 * @param limited whether a limit of the cluster counts them
 */
record LaneKind(int callSize, boolean limited) {

	/** Jobs are claimed ahead of a free slot, with those of other lanes. */
	static final LaneKind PLAIN = new LaneKind(1, false);

	boolean isPlain() {
		return equals(PLAIN);
	}

}
