package io.rowqueue.lab.verify.worker;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a worker process is to be.
 *
 * @param types the types that it has handlers for
 * @param properties properties of its application
 * @param environment environment variables
 */
public record WorkerSpec(List<String> types, Map<String, String> properties, Map<String, String> environment) {

	/** The type whose handler is transactional. */
	public static final String TRANSACTIONAL = "booking";

	/** The type whose handler returns who ran it. */
	public static final String RETURNING = "mail";

	/**
	 * The type with a lease of its own, whose jobs run in another worker of the process.
	 */
	public static final String IMPATIENT = "call";

	/** The type whose handler kills its process. */
	public static final String POISON = "poison";

	/** The types of most rounds. */
	public static final List<String> TYPES = List.of(RETURNING, "import", TRANSACTIONAL);

	/** The types of rounds in which processes are harmed. */
	public static final List<String> TYPES_AND_IMPATIENT = List.of(RETURNING, "import", TRANSACTIONAL, IMPATIENT);

	public WorkerSpec {
		types = List.copyOf(types);
		properties = Map.copyOf(properties);
		environment = Map.copyOf(environment);
	}

	/** A worker as most are, with these properties. */
	public static WorkerSpec of(Map<String, String> properties) {
		return new WorkerSpec(TYPES, properties, Map.of());
	}

	public WorkerSpec types(List<String> types) {
		return new WorkerSpec(types, this.properties, this.environment);
	}

	public WorkerSpec property(String name, String value) {
		return new WorkerSpec(this.types, with(this.properties, name, value), this.environment);
	}

	public WorkerSpec environment(String name, String value) {
		return new WorkerSpec(this.types, this.properties, with(this.environment, name, value));
	}

	private static Map<String, String> with(Map<String, String> map, String name, String value) {
		Map<String, String> copy = new LinkedHashMap<>(map);
		copy.put(name, value);
		return copy;
	}

}
