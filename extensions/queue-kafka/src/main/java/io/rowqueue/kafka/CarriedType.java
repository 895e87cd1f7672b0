package io.rowqueue.kafka;

import java.time.Duration;

/**
 * A type whose topic and group have been checked.
 *
 * @param type the type of jobs
 * @param topic its topic; its group has the same name
 * @param kind the kind of the group, never {@link GroupType#AUTO}
 * @param currentProtocol whether a consumer group is coordinated by the broker, as Kafka
 * 4.0 and newer do
 * @param exclusive how long a record, or a partition, is certainly not given to another
 * process after this one was heard of
 * @param deadLetters whether the broker keeps what was delivered too often
 */
record CarriedType(String type, String topic, GroupType kind, boolean currentProtocol, Duration exclusive,
		boolean deadLetters) {

	String group() {
		return this.topic;
	}

	/**
	 * What the broker has given up of the type. A consumer group reads it, which never
	 * gives up.
	 */
	CarriedType ofDeadLetters() {
		return new CarriedType(this.type, Names.deadLetters(this.topic), GroupType.CONSUMER, this.currentProtocol,
				this.exclusive, false);
	}

	/** The same type for a member that its group may exclude after some time. */
	CarriedType excludedAfter(Duration time) {
		return (time.compareTo(this.exclusive) >= 0) ? this
				: new CarriedType(this.type, this.topic, this.kind, this.currentProtocol, time, this.deadLetters);
	}

}
