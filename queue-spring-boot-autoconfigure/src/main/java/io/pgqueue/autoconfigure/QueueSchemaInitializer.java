package io.pgqueue.autoconfigure;

import io.pgqueue.schema.QueueSchema;

import org.springframework.beans.factory.InitializingBean;

/** Has the queue's tables in place before any bean that depends on the database. */
class QueueSchemaInitializer implements InitializingBean {

	private final QueueSchema schema;

	QueueSchemaInitializer(QueueSchema schema) {
		this.schema = schema;
	}

	@Override
	public void afterPropertiesSet() {
		this.schema.initialize();
	}

}
