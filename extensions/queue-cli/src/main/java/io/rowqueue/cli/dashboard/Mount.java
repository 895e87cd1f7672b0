package io.rowqueue.cli.dashboard;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.migration.QueueSchema;
import io.rowqueue.migration.QueueSchemaException;
import io.rowqueue.migration.SchemaMode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.BeansException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The dashboard of a database, as soon as the database can be used. Its pages show later
 * failures of the database themselves.
 */
final class Mount implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(Mount.class);

	private final ServedDatabase database;

	private final Function<HikariDataSource, ConfigurableApplicationContext> create;

	private final Function<QueueSchemaException, String> words;

	private volatile @Nullable String problem = "It has not been opened yet.";

	private @Nullable ConfigurableApplicationContext context;

	private volatile @Nullable RouterFunction<ServerResponse> routes;

	/**
	 * Creates the mount, closed.
	 * @param database the database
	 * @param create creates its context, over a pool
	 * @param words says why the queue of a database cannot be used
	 */
	Mount(ServedDatabase database, Function<HikariDataSource, ConfigurableApplicationContext> create,
			Function<QueueSchemaException, String> words) {
		this.database = database;
		this.create = create;
		this.words = words;
	}

	ServedDatabase database() {
		return this.database;
	}

	/** Returns why there is no dashboard, or {@code null}. */
	@Nullable String problem() {
		return this.problem;
	}

	Optional<HandlerFunction<ServerResponse>> route(ServerRequest request) {
		RouterFunction<ServerResponse> current = this.routes;
		return (current != null) ? current.route(request) : Optional.empty();
	}

	/**
	 * Opens the dashboard unless it is open.
	 * @return whether it is open now
	 */
	synchronized boolean open() {
		if (this.routes == null) {
			this.problem = attempt();
		}
		return this.routes != null;
	}

	/** Returns why it failed, or {@code null}. */
	private @Nullable String attempt() {
		HikariDataSource pool = this.database.pool().get();
		try {
			new QueueSchema(Objects.requireNonNull(pool.getDataSource()), this.database.schema(), SchemaMode.VALIDATE)
				.initialize();
			open(this.create.apply(pool));
			return null;
		}
		catch (QueueSchemaException ex) {
			return this.words.apply(ex);
		}
		catch (BeansException ex) {
			logger.error("The dashboard of {} cannot be opened", this.database.name(), ex);
			return "The dashboard cannot be opened: " + ex.getMostSpecificCause().getMessage();
		}
	}

	@SuppressWarnings("unchecked") // each functional router is one of responses
	private void open(ConfigurableApplicationContext created) {
		this.context = created;
		this.routes = created.getBean(RouterFunction.class);
	}

	@Override
	public synchronized void close() {
		if (this.context != null) {
			this.context.close();
		}
	}

}
