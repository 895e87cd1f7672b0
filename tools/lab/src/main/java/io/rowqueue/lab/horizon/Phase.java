package io.rowqueue.lab.horizon;

import java.util.List;
import java.util.Map;

/**
 * A part of a run.
 *
 * @param name its name
 * @param kind what happens in it
 * @param seconds how long it takes
 */
record Phase(String name, Kind kind, int seconds) {

	/** Scenarios as the harness has them, by name, as sequences of phases. */
	private static final Map<String, List<Phase>> SCENARIOS = Map.of("pressure",
			List.of(of("warmup", Kind.CLEAN), of("clean", Kind.CLEAN), of("readers", Kind.ACTIVE_READERS),
					of("idle-in-tx", Kind.IDLE_IN_TRANSACTION), of("high-load", Kind.HIGH_LOAD),
					of("recovery", Kind.CLEAN)),
			"chaos",
			List.of(of("warmup", Kind.CLEAN), of("baseline", Kind.CLEAN), of("kill-worker", Kind.KILL_WORKER),
					of("start-worker", Kind.START_WORKER), of("repeated-kill", Kind.REPEATED_KILL),
					of("after-kills", Kind.CLEAN), of("postgres-restart", Kind.SERVER_RESTART),
					of("after-restart", Kind.CLEAN), of("backend-kill", Kind.BACKEND_KILL),
					of("after-backend-kill", Kind.CLEAN), of("pool-exhaustion", Kind.CONNECTIONS_HELD),
					of("recovery", Kind.CLEAN)));

	private static Phase of(String name, Kind kind) {
		return new Phase(name, kind, 60);
	}

	/**
	 * The phases of a scenario.
	 * @param seconds how long each of them takes
	 * @throws IllegalArgumentException if there is no such scenario
	 */
	static List<Phase> of(String scenario, int seconds) {
		List<Phase> phases = SCENARIOS.get(scenario);
		if (phases == null) {
			throw new IllegalArgumentException(
					"There is no scenario '" + scenario + "', only " + SCENARIOS.keySet().stream().sorted().toList());
		}
		return phases.stream().map((phase) -> new Phase(phase.name(), phase.kind(), seconds)).toList();
	}

	/** What happens. */
	enum Kind {

		/** Nothing but the load. */
		CLEAN,

		/** Half as much load again. */
		HIGH_LOAD,

		/** A transaction that has an id stays open. */
		IDLE_IN_TRANSACTION,

		/** Four repeatable reads count the jobs all the time. */
		ACTIVE_READERS,

		/** The first process is killed. */
		KILL_WORKER,

		/** It is started again. */
		START_WORKER,

		/** It is killed and started again every 20 seconds. */
		REPEATED_KILL,

		/** The server is stopped for half of the time. */
		SERVER_RESTART,

		/** Two sessions a second are terminated. */
		BACKEND_KILL,

		/** Other sessions hold three hundred connections. */
		CONNECTIONS_HELD

	}

}
