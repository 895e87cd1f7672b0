package io.rowqueue.sample.contact;

import org.jspecify.annotations.Nullable;

/**
 * How far an import is.
 *
 * @param id id of the import
 * @param rows the number of rows, or {@code null} until the file has been read
 * @param done the number of processed rows, including rejected ones
 * @param refused the number of rejected rows
 */
record ImportProgress(long id, @Nullable Integer rows, int done, int refused) {

	boolean isOver() {
		return this.rows != null && this.rows == this.done;
	}

}
