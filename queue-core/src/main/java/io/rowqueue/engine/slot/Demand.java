package io.rowqueue.engine.slot;

/**
 * Why a pool may get jobs from a claim. Any thread may raise it; the thread that claims
 * takes it with each claim.
 */
public final class Demand {

	/** The worker does not know what waits: at first, the pool looks everywhere. */
	private volatile Level level = Level.ANYWHERE;

	/** Used by the thread that claims only. */
	private boolean needsSweep;

	/** There may be jobs where the level says; a higher level stays. */
	public void raise(Level raised) {
		if (this.level.compareTo(raised) < 0) {
			raiseTo(raised);
		}
	}

	private synchronized void raiseTo(Level raised) {
		if (this.level.compareTo(raised) < 0) {
			this.level = raised;
		}
	}

	/** Whether there may be jobs to claim. */
	public boolean isThere() {
		return this.level != Level.NONE;
	}

	/** Begins a claim: what is raised from now on belongs to the next one. */
	public synchronized Level take() {
		Level taken = this.level;
		this.level = Level.NONE;
		return taken;
	}

	/** A claim from the known lanes left room that jobs of other lanes may fill. */
	public void needSweep() {
		this.needsSweep = true;
	}

	/** Whether the pool waits for a sweep. */
	public boolean needsSweep() {
		return this.needsSweep;
	}

	/** A sweep has begun, or the known lanes filled the pool. */
	public void needNoSweep() {
		this.needsSweep = false;
	}

	/** Where there may be jobs. */
	public enum Level {

		/** Nowhere, as far as the worker knows. */
		NONE,

		/** In lanes that the latest sweep has found. */
		KNOWN_LANES,

		/** In any lane. */
		ANYWHERE

	}

}
