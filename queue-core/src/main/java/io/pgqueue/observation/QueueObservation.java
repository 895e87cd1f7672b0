package io.pgqueue.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * What is observed.
 *
 * @since 0.1.0
 */
public enum QueueObservation implements ObservationDocumentation {

	/** The enqueue of one job or many, until they are stored. */
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
	 * One attempt of a job, from before its payload is read until its handler is over.
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

	/** Key names of enqueues. */
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

	/** Key names of attempts. */
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

	/** Key names of attempts whose values are many. */
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
