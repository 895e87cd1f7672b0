package io.rowqueue.lab.cost;

/**
 * How the jobs of a measurement are spread.
 *
 * @param types how many types
 * @param queues how many queues, each with all types
 */
record Lanes(int types, int queues) {

	private static final String PAYLOAD = "\"" + "x".repeat(60) + "\"";

	/** The lanes themselves: all jobs have the same priority. */
	int count() {
		return this.types * this.queues;
	}

	/** Adds waiting jobs to all lanes in turn. */
	String fill(long jobs) {
		return """
				insert into rowqueue.job (queue, type, state, run_at, order_at, payload)
				select 'queue-' || i / %s %% %s, 'type-' || i %% %1$s, 'queued', now(), now() + i * interval '1 microsecond', '%s'
				from generate_series(0, %s - 1) i"""
			.formatted(this.types, this.queues, PAYLOAD, jobs);
	}

	/** Adds jobs that become due one after the other, so many in each second. */
	String schedule(long jobs, int perSecond) {
		return """
				insert into rowqueue.job (queue, type, state, run_at, order_at, payload)
				select 'queue-' || i / %s %% %s, 'type-' || i %% %1$s, 'scheduled', due, due, '%s'
				from generate_series(0, %s - 1) i cross join lateral (select now() + i * interval '1 second' / %s as due) at"""
			.formatted(this.types, this.queues, PAYLOAD, jobs, perSecond);
	}

}
