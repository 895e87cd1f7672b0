package io.pgqueue;

import java.lang.reflect.Type;

import org.jspecify.annotations.Nullable;

/**
 * Turns payloads into JSON and back. An application can declare a bean of its own, for
 * example to encrypt what is stored; what is written must be valid JSON.
 *
 * @since 0.1.0
 */
public interface PayloadCodec {

	/**
	 * Writes a payload as JSON.
	 * @param payload what to write; {@code null}: the job has no payload
	 * @param jobType the type of the job, for the message of an error
	 * @return the JSON, or {@code null} for no payload
	 * @throws PayloadConversionException if the payload cannot be written
	 */
	@Nullable String write(@Nullable Object payload, String jobType);

	/**
	 * Reads what {@link #write} wrote.
	 * @param json the JSON; {@code null}: the job has no payload
	 * @param target what to make of it: a class, also a primitive one, or a generic type
	 * @param jobType the type of the job, for the message of an error
	 * @return an instance of the target, or {@code null} for no payload
	 * @throws PayloadConversionException if the JSON does not map to the target, or there
	 * is none and the target is a primitive type; the message does not quote the payload,
	 * and the cause is at most what a constructor or setter of the payload has thrown
	 */
	@Nullable Object read(@Nullable String json, Type target, String jobType);

}
