package io.rowqueue.engine.measure;

/**
 * An index of the queue that something is wrong with.
 *
 * @param name its name, quoted if it has to be
 * @param state {@link #LARGE}, {@link #INVALID} or {@link #LEFT_OVER}
 * @param bytes its size
 */
public record IndexTrouble(String name, String state, long bytes) {

	/** It is several times as large as its entries need. */
	public static final String LARGE = "large";

	/** It is not used, or not maintained. */
	public static final String INVALID = "invalid";

	/** A {@code REINDEX} that was interrupted has left it. */
	public static final String LEFT_OVER = "left over";

	/** Returns what a figure with the name {@link Figure#INDEX} says. */
	public static IndexTrouble of(Figure figure) {
		return new IndexTrouble(String.valueOf(figure.text()), String.valueOf(figure.state()), (long) figure.value());
	}

	/**
	 * Returns the statement that mends it, for the owner of the table.
	 * @param schema the schema of the queue, quoted
	 */
	public String remedy(String schema) {
		return (this.state.equals(LEFT_OVER) ? "drop index concurrently if exists " : "reindex index concurrently ")
				+ schema + "." + this.name;
	}

	/** Returns what is wrong, a sentence without a full stop. */
	public String description() {
		return "The index " + this.name + switch (this.state) {
			case LARGE -> " has " + (this.bytes >> 20) + " MB, several times as much as its entries need";
			case LEFT_OVER -> " was left by a REINDEX that failed";
			default -> " is invalid";
		};
	}

}
