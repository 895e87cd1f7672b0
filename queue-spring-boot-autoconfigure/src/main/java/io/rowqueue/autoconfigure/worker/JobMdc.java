package io.rowqueue.autoconfigure.worker;

import java.util.Map;

import io.rowqueue.JobContext;
import io.rowqueue.listen.AttemptScope;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Adds the job to the MDC of each line that is logged during an attempt or about its end.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class JobMdc implements AttemptScope {

	static final String ID = "jobId";

	static final String TYPE = "jobType";

	static final String QUEUE = "jobQueue";

	static final String ATTEMPT = "jobAttempt";

	@Override
	public Opened open(JobContext job, Map<String, String> headers) {
		@Nullable Map<String, String> before = MDC.getCopyOfContextMap();
		MDC.put(ID, Long.toString(job.id()));
		MDC.put(TYPE, job.type());
		MDC.put(QUEUE, job.queue());
		MDC.put(ATTEMPT, Integer.toString(job.attempt()));
		return new Before(before);
	}

	/** What the MDC contained before; a lambda would be linked by all slots at once. */
	private record Before(@Nullable Map<String, String> map) implements Opened {

		@Override
		public void close() {
			if (this.map != null) {
				MDC.setContextMap(this.map);
			}
			else {
				MDC.clear();
			}
		}

	}

}
