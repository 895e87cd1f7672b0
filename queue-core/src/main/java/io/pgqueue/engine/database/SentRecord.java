package io.pgqueue.engine.database;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * A row that the database sends as one value, created with {@code record_send}: the
 * number of its fields, and for each field its type, its length or -1 for null, and its
 * binary form. For separate columns, the driver determines format and conversion of each
 * field; for a claimed job that took as much time as all other work of the worker.
 * <p>
 * The fields must be read in their order, with the method for their type.
 */
public final class SentRecord {

	private final ByteBuffer bytes;

	public SentRecord(byte[] sent) {
		this.bytes = ByteBuffer.wrap(sent);
		this.bytes.getInt();
	}

	public long bigint() {
		length();
		return this.bytes.getLong();
	}

	public int integer() {
		length();
		return this.bytes.getInt();
	}

	public int smallint() {
		length();
		return this.bytes.getShort();
	}

	public @Nullable Integer smallintOrNull() {
		return (length() >= 0) ? (int) this.bytes.getShort() : null;
	}

	public boolean isTrue() {
		length();
		return this.bytes.get() != 0;
	}

	/** Reads a time in the unit of {@link PostgresTime}. */
	public long time() {
		return bigint();
	}

	public String text() {
		return text(length());
	}

	public @Nullable String textOrNull() {
		int length = length();
		return (length >= 0) ? text(length) : null;
	}

	private String text(int length) {
		int begin = this.bytes.position();
		this.bytes.position(begin + length);
		return new String(this.bytes.array(), begin, length, StandardCharsets.UTF_8);
	}

	/** Reads the header of the next field, whose type is known. */
	private int length() {
		this.bytes.getInt();
		return this.bytes.getInt();
	}

}
