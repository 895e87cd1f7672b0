package io.pgqueue.sample.contact;

import org.jspecify.annotations.Nullable;

/**
 * How far an import is.
 *
 * @param id id of the import
 * @param rows how many rows the file has; {@code null} until it has been read
 * @param done how many of them are over, refused ones included
 * @param refused how many are no contacts
 */
record ImportProgress(long id, @Nullable Integer rows, int done, int refused) {

	boolean isOver() {
		return this.rows != null && this.rows == this.done;
	}

}
