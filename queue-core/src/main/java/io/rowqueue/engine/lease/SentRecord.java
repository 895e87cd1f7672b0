package io.rowqueue.engine.lease;

import java.nio.charset.StandardCharsets;

import io.rowqueue.engine.database.PostgresTime;
import org.jspecify.annotations.Nullable;

/**
 * A row that the database sends as one value, created with {@code record_send}: the
 * number of its fields, and for each field its type, its length or -1 for null, and its
 * binary form. For separate columns, the driver determines format and conversion of each
 * field; for a claimed job that took as much time as all other work of the worker.
 * <p>
 * The fields must be read in their order, with the method for their type.
 */
final class SentRecord {

	private static final int BYTES_OF_A_NUMBER = 4;

	private final byte[] bytes;

	private int position = BYTES_OF_A_NUMBER; // after the number of the fields

	SentRecord(byte[] sent) {
		this.bytes = sent;
	}

	long bigint() {
		length();
		return readLong();
	}

	int integer() {
		length();
		return readInt();
	}

	int smallint() {
		length();
		return readShort();
	}

	@Nullable Integer smallintOrNull() {
		return (length() >= 0) ? readShort() : null;
	}

	boolean isTrue() {
		length();
		return this.bytes[this.position++] != 0;
	}

	/** Reads a time in the unit of {@link PostgresTime}. */
	long time() {
		return bigint();
	}

	/** Reads a text that is the same in most rows. */
	String text(RepeatedText repeated) {
		int length = length();
		int begin = this.position;
		this.position += length;
		return repeated.of(this.bytes, begin, this.position);
	}

	@Nullable String textOrNull() {
		int length = length();
		return (length >= 0) ? text(length) : null;
	}

	private String text(int length) {
		int begin = this.position;
		this.position += length;
		return new String(this.bytes, begin, length, StandardCharsets.UTF_8);
	}

	/** Reads the header of the next field, whose type is known. */
	private int length() {
		this.position += BYTES_OF_A_NUMBER; // the type
		return readInt();
	}

	/**
	 * Reads by shifts: what a {@link java.nio.ByteBuffer} calls for each number is a
	 * sixth of what a slot runs for a job before it is compiled.
	 */
	private int readInt() {
		return (readShort() << 16) | (readShort() & 0xffff);
	}

	private long readLong() {
		return ((long) readInt() << 32) | (readInt() & 0xffffffffL);
	}

	private int readShort() {
		return (this.bytes[this.position++] << 8) | (this.bytes[this.position++] & 0xff);
	}

}
