package io.rowqueue.postgres;

import java.util.Locale;

/** How a server is stopped. */
public enum StopMode {

	/** Ends its sessions and writes all data. */
	FAST,

	/** Ends at once, as in a crash, and recovers when it is started again. */
	IMMEDIATE;

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
