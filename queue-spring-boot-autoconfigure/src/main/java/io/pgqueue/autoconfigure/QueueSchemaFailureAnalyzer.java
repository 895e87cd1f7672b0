package io.pgqueue.autoconfigure;

import io.pgqueue.schema.QueueSchemaException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a {@link QueueSchemaException} without its stack trace. */
class QueueSchemaFailureAnalyzer extends AbstractFailureAnalyzer<QueueSchemaException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, QueueSchemaException cause) {
		return new FailureAnalysis(cause.getProblem(), cause.getRemedy() + setting(cause), cause);
	}

	private static String setting(QueueSchemaException cause) {
		return switch (cause.getReason()) {
			case SCHEMA_MISSING, SCHEMA_OLDER ->
				"\nOr let the application do it: queue.schema.mode=migrate, if its role may create tables.";
			case NOT_POSTGRESQL, SERVER_TOO_OLD, NO_CONNECTION, READ_ONLY ->
				"\nTo keep the queue in another database, declare a DataSource bean and annotate it with @QueueDataSource.";
			case FAILED -> "\nqueue.schema.name puts the queue's tables into another schema.";
			case MISSING_PRIVILEGE, SCHEMA_NEWER -> "";
		};
	}

}
