package io.rowqueue.dashboard;

/**
 * What a caller of the dashboard may do and see.
 *
 * @param level how much the caller may do
 * @param payloads whether the caller is also shown payloads, results, unique keys, limit
 * keys, error messages and stack traces
 * @since 0.1.0
 */
public record DashboardRights(Level level, boolean payloads) {

	/** No access at all. */
	public static final DashboardRights NONE = of(Level.NONE);

	/**
	 * A level, without payloads.
	 * @param level how much the caller may do
	 * @return the rights
	 */
	public static DashboardRights of(Level level) {
		return new DashboardRights(level, false);
	}

	/**
	 * Adds the right to see payloads.
	 * @return a changed copy
	 */
	public DashboardRights withPayloads() {
		return new DashboardRights(this.level, true);
	}

	/** Returns these rights, with no higher level than another one. */
	public DashboardRights atMost(Level max) {
		return this.level.includes(max) ? new DashboardRights(max, this.payloads && max != Level.NONE) : this;
	}

}
