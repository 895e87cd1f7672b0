package io.rowqueue.engine.outbox;

import java.util.TreeSet;
import java.util.stream.Collectors;

import io.rowqueue.transport.JobTransport;

/** Describes for people what a broker carries. */
public final class CarriedTypes {

	private CarriedTypes() {
	}

	/**
	 * Returns the types and how many jobs of each the broker holds.
	 * @return a sentence that begins with a space
	 */
	public static String describe(JobTransport transport) {
		return new TreeSet<>(transport.types()).stream()
			.map((type) -> "'" + type + "'" + held(transport, type))
			.collect(Collectors.joining(", ", " Or it waits to be published, or is carried by " + transport.name()
					+ ", as plain jobs of these types are: ", "."));
	}

	private static String held(JobTransport transport, String type) {
		return transport.lag(type).isPresent() ? " (" + transport.lag(type).getAsLong() + " jobs there)" : "";
	}

}
