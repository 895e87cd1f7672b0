package io.pgqueue.autoconfigure.observation;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the trace of a job belongs to the one that it was enqueued in.
 *
 * @param mode What an attempt is to the trace that enqueued its job: a part of it, or a
 * trace of its own with a link to it.
 */
@ConfigurationProperties("pgqueue.tracing")
record TracingProperties(@DefaultValue("parent") Mode mode) {

	/** What an attempt is to the trace that enqueued its job. */
	enum Mode {

		/** A part of it. */
		PARENT,

		/** A trace of its own, with a link to it. */
		LINK

	}

}
