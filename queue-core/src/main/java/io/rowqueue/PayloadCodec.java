package io.rowqueue;

import java.lang.reflect.Type;

import org.jspecify.annotations.Nullable;

/**
 * Converts payloads to JSON and back. An application can declare its own bean; what it
 * writes must be valid JSON. To encrypt payloads, declare a {@link PayloadEncryption}
 * instead.
 *
 * @since 0.1.0
 */
public interface PayloadCodec {

	/**
	 * Writes a payload as JSON.
	 * @param payload the payload, or {@code null} if the job has none
	 * @param jobType the type of the job, for error messages
	 * @return the JSON, or {@code null} for no payload
	 * @throws PayloadConversionException if the payload cannot be written
	 */
	@Nullable String write(@Nullable Object payload, String jobType);

	/**
	 * Writes a value that is read as a known type, such as the result of a step. What the
	 * type says about the elements of a generic value, which the value itself does not
	 * know, can be written for the reader. By default, the type is ignored.
	 * @param value the value, or {@code null} if there is none
	 * @param declared the type that the value is read as
	 * @param jobType the type of the job, for error messages
	 * @return the JSON, or {@code null} for no value
	 * @throws PayloadConversionException if the value cannot be written
	 */
	default @Nullable String write(@Nullable Object value, Type declared, String jobType) {
		return write(value, jobType);
	}

	/**
	 * Reads a payload that {@link #write} has written.
	 * @param json the JSON, or {@code null} if the job has no payload
	 * @param target the type to map the JSON to: a class, a primitive type or a generic
	 * type
	 * @param jobType the type of the job, for error messages
	 * @return an instance of the target, or {@code null} if the job has no payload
	 * @throws PayloadConversionException if the JSON cannot be mapped to the target, or
	 * the job has no payload and the target is a primitive type; the message must not
	 * quote the payload, and the cause may only be an exception that a constructor or
	 * setter of the payload threw
	 */
	@Nullable Object read(@Nullable String json, Type target, String jobType);

}
