package io.pgqueue;

/**
 * How a handler is run. Immutable: each method returns a changed copy.
 *
 * @param transactional see {@link JobHandler#transactional()}
 * @param keepResult see {@link JobHandler#keepResult()}
 * @since 0.1.0
 */
public record HandlerOptions(boolean transactional, boolean keepResult) {

	/** What applies where nothing is said: neither. */
	public static final HandlerOptions DEFAULT = new HandlerOptions(false, false);

	/**
	 * Has the handler's writes and the success of its job committed together.
	 * @return the options with {@link JobHandler#transactional()}
	 */
	public HandlerOptions inTransaction() {
		return new HandlerOptions(true, this.keepResult);
	}

	/**
	 * Has what the handler returns kept with the job.
	 * @return the options with {@link JobHandler#keepResult()}
	 */
	public HandlerOptions keepingResult() {
		return new HandlerOptions(this.transactional, true);
	}

}
