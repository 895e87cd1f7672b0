package io.rowqueue.autoconfigure.schema;

import io.rowqueue.migration.QueueSchemaException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a {@link QueueSchemaException} without its stack trace. */
class QueueSchemaFailureAnalyzer extends AbstractFailureAnalyzer<QueueSchemaException> {

	private static final String EXECUTABLE_JAR = "\nThe jars are among the application's libraries. In an executable"
			+ " jar: java -cp app.jar -Dloader.main=io.rowqueue.migration.PrintSchema"
			+ " org.springframework.boot.loader.launch.PropertiesLauncher, with the same options.";

	private static final String OTHER_DATABASE = "\nTo keep the queue in another database, declare a DataSource bean and"
			+ " annotate it with @QueueDataSource.";

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, QueueSchemaException cause) {
		return new FailureAnalysis(cause.getProblem(), cause.getRemedy() + setting(cause), cause);
	}

	private static String setting(QueueSchemaException cause) {
		return switch (cause.getReason()) {
			case SCHEMA_MISSING, SCHEMA_OLDER -> EXECUTABLE_JAR
					+ "\nOr let the application do it: rowqueue.schema.mode=migrate, if its role may create tables.";
			case NOT_POSTGRESQL -> OTHER_DATABASE
					+ "\nTo start without the queue, as tests on another database do, set rowqueue.enabled=false: the JobQueue"
					+ " bean then rejects each call, or in a test with @RecordJobs, records jobs without running them.";
			case SERVER_TOO_OLD, NO_CONNECTION, READ_ONLY -> OTHER_DATABASE;
			case FAILED, SCHEMA_FOREIGN -> "\nrowqueue.schema.name puts the queue's tables into another schema.";
			case MISSING_PRIVILEGE -> cause.getRemedy().contains("PrintSchema") ? EXECUTABLE_JAR : "";
			case SCHEMA_NEWER, SCHEMA_INCOMPLETE, SEQUENCE_BEHIND, UNSUITABLE_SETTING -> "";
		};
	}

}
