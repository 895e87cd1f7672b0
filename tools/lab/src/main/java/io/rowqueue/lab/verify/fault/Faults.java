package io.rowqueue.lab.verify.fault;

import java.util.List;

import io.rowqueue.postgres.StopMode;

/** All faults, in the order in which they are done. */
public final class Faults {

	/**
	 * The fault that takes longest starts early, so that the run does not end with it
	 * alone.
	 */
	private static final List<Fault> ALL = List.of(new Nothing(), new RollingRestart(), new KillNine(),
			new KillInPlenty(), new Poison(), new Freeze(), new LateAnswer(), new Restart(StopMode.FAST),
			new Restart(StopMode.IMMEDIATE), new TerminateStorm(), new Promotion(), new ApplicationPool(),
			new ShardsMoved(), new BrokerHarmed(), new NoSlots(), new Deaf(), new PinnedHorizon(), new LockedRows(),
			new Publication(), new SkewedClock(), new ClockBack(), new FullDisk(), new Products());

	private Faults() {
	}

	/** All of them. */
	public static List<Fault> all() {
		return ALL;
	}

	/**
	 * The one of that name.
	 * @throws IllegalArgumentException if there is none
	 */
	public static Fault named(String name) {
		return ALL.stream()
			.filter((fault) -> fault.name().equals(name))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException(
					"There is no fault '" + name + "', only " + ALL.stream().map(Fault::name).toList()));
	}

}
