package io.pgqueue;

/**
 * How a handler is run. Immutable: each method returns a changed copy.
 *
 * @param transactional see {@link JobHandler#transactional()}
 * @since 0.1.0
 */
public record HandlerOptions(boolean transactional) {

	/** What applies where nothing is said: not transactional. */
	public static final HandlerOptions DEFAULT = new HandlerOptions(false);

	/**
	 * Has the handler's writes and the success of its job committed together.
	 * @return the options with {@link JobHandler#transactional()}
	 */
	public HandlerOptions inTransaction() {
		return new HandlerOptions(true);
	}

}
