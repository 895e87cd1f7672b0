package io.rowqueue.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observations of the queue.
 *
 * @since 0.1.0
 */
public enum QueueObservation implements ObservationDocumentation {

	/** The enqueue of one job or several, until they are stored. */
	ENQUEUE {
		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return EnqueueObservationConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return EnqueueKeys.values();
		}
	},

	/**
	 * An attempt of a job, from before its payload is read until its handler has ended.
	 */
	PROCESS {
		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return JobObservationConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return JobKeys.values();
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return JobDetails.values();
		}
	};

	/** The low-cardinality keys of enqueues. */
	public enum EnqueueKeys implements KeyName {

		/** The queue, or {@code several}. */
		QUEUE("job.queue"),

		/** The type, or {@code several}. */
		TYPE("job.type");

		private final String key;

		EnqueueKeys(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

	/** The low-cardinality keys of attempts. */
	public enum JobKeys implements KeyName {

		/** The queue. */
		QUEUE("job.queue"),

		/** The type. */
		TYPE("job.type");

		private final String key;

		JobKeys(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

	/** The high-cardinality keys of attempts. */
	public enum JobDetails implements KeyName {

		/** The id of the job. */
		ID("job.id"),

		/** The number of the attempt. */
		ATTEMPT("job.attempt");

		private final String key;

		JobDetails(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

}
