package io.rowqueue.autoconfigure.schema;

import javax.sql.DataSource;

import io.rowqueue.engine.database.PendingTables;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.migration.QueueSchema;
import io.rowqueue.migration.QueueSchemaException;
import io.rowqueue.migration.QueueSchemaException.Reason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;

/**
 * Creates or checks the queue's tables before any bean that depends on the database. The
 * application of a queue with several databases starts without one that is not available,
 * and the tables are created or checked when it is.
 */
public class QueueSchemaInitializer implements InitializingBean, PendingTables {

	private static final Logger logger = LoggerFactory.getLogger(QueueSchemaInitializer.class);

	private final QueueSchema schema;

	/** A schema that is current needs none of the application's connections. */
	private final DataSource checking;

	private final boolean enabled;

	/** The name of the home shard; {@code null}: it is no home shard. */
	private final @Nullable String homeShard;

	private final Outage outage;

	private volatile boolean pending;

	QueueSchemaInitializer(QueueSchema schema, DataSource checking, boolean enabled, @Nullable String homeShard,
			Outage outage) {
		this.schema = schema;
		this.checking = checking;
		this.enabled = enabled;
		this.homeShard = homeShard;
		this.outage = outage;
	}

	@Override
	public void afterPropertiesSet() {
		if (!this.enabled || this.schema.isCurrent(this.checking)) {
			return;
		}
		try {
			this.schema.initialize();
		}
		catch (QueueSchemaException ex) {
			if (this.homeShard == null || ex.getReason() != Reason.NO_CONNECTION) {
				throw ex;
			}
			this.pending = true;
			this.outage.report(HOME_LOOP, ex);
			logger
				.warn("The home shard '{}' is not available; the application starts without it, and uses it as soon as"
						+ " it answers. {}", this.homeShard, ex.getProblem());
		}
	}

	@Override
	public boolean isPending() {
		return this.pending;
	}

	@Override
	public synchronized void initializePending() {
		if (this.pending) {
			this.schema.initialize();
			this.pending = false;
		}
	}

}
