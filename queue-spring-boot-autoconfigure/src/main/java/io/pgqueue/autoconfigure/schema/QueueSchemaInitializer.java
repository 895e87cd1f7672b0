package io.pgqueue.autoconfigure.schema;

import io.pgqueue.schema.QueueSchema;
import org.springframework.beans.factory.InitializingBean;

/** Creates or checks the queue's tables before any bean that depends on the database. */
class QueueSchemaInitializer implements InitializingBean {

	private final QueueSchema schema;

	private final boolean enabled;

	QueueSchemaInitializer(QueueSchema schema, boolean enabled) {
		this.schema = schema;
		this.enabled = enabled;
	}

	@Override
	public void afterPropertiesSet() {
		if (this.enabled) {
			this.schema.initialize();
		}
	}

}
