package io.rowqueue.autoconfigure.connection;

import java.util.Collection;

import io.rowqueue.JobQueueException;

/** The queue's database cannot be determined. */
class QueueDataSourceException extends JobQueueException {

	private static final String WITHOUT = "; rowqueue.enabled=false disables the queue.";

	private final String problem;

	private final String remedy;

	private QueueDataSourceException(String problem, String remedy) {
		super(problem + " " + remedy);
		this.problem = problem;
		this.remedy = remedy;
	}

	static QueueDataSourceException none() {
		return new QueueDataSourceException("The job queue needs a DataSource, and there is none.",
				"Declare a DataSource bean for PostgreSQL; without R2DBC, spring.datasource.url is enough, but beside a"
						+ " ConnectionFactory Spring Boot configures no DataSource" + WITHOUT);
	}

	static QueueDataSourceException several(Collection<String> names) {
		return new QueueDataSourceException(
				"The job queue cannot choose between the DataSource beans " + String.join(", ", names)
						+ ": none of them is primary.",
				"Annotate the DataSource of the queue's database with @QueueDataSource, or make one of them"
						+ " @Primary" + WITHOUT);
	}

	static QueueDataSourceException severalMarked(Collection<String> names) {
		return new QueueDataSourceException(
				"Several DataSource beans are annotated with @QueueDataSource: " + String.join(", ", names) + ".",
				"Keep the annotation only on the DataSource of the queue's database" + WITHOUT);
	}

	String problem() {
		return this.problem;
	}

	String remedy() {
		return this.remedy;
	}

}
