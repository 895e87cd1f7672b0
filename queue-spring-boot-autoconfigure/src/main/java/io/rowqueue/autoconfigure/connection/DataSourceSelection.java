package io.rowqueue.autoconfigure.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.engine.database.ApplicationDataSource;
import io.rowqueue.engine.database.DisabledDataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.boot.jdbc.DatabaseDriver;

/** Selects the application's {@link DataSource} that the queue uses. */
final class DataSourceSelection {

	private static final Logger logger = LoggerFactory.getLogger(DataSourceSelection.class);

	private static final String POSTGRESQL = "PostgreSQL";

	private static final String REMEDY = ". No job can be enqueued, and none runs. To switch it on, set"
			+ " spring.datasource.url to a PostgreSQL, or annotate the DataSource of one with @QueueDataSource;"
			+ " rowqueue.enabled=true makes this an error. Tests record jobs without running them with @RecordJobs.";

	private DataSourceSelection() {
	}

	/**
	 * Selects the data source. An application that has just added the starter, or whose
	 * tests use another database, is not prevented from starting: the queue is off.
	 * @param marked those that are marked for the queue
	 * @param others the application's
	 * @param required whether the properties enable the queue explicitly
	 * @return the data source, or one that rejects each use
	 */
	static ApplicationDataSource select(ObjectProvider<DataSource> marked, ObjectProvider<DataSource> others,
			boolean required) {
		DataSource own = one(marked, QueueDataSourceException::severalMarked);
		if (own != null) {
			return new ApplicationDataSource(own, true);
		}
		DataSource selected = one(others, QueueDataSourceException::several);
		if (selected == null) {
			throw QueueDataSourceException.none();
		}
		String product = required ? POSTGRESQL : product(selected);
		if (POSTGRESQL.equals(product)) {
			return new ApplicationDataSource(selected, true);
		}
		String reason = "The job queue is off: it needs PostgreSQL, and the application's DataSource connects to "
				+ product + REMEDY;
		logger.warn(reason);
		return new ApplicationDataSource(new DisabledDataSource(reason), false);
	}

	/** The address of a pool tells that it is PostgreSQL, mostly. */
	private static String product(DataSource dataSource) {
		HikariDataSource pool = DataSourceUnwrapper.unwrap(dataSource, HikariConfigMXBean.class,
				HikariDataSource.class);
		String url = (pool != null) ? pool.getJdbcUrl() : null;
		boolean known = url != null && url.startsWith("jdbc:")
				&& DatabaseDriver.fromJdbcUrl(url) == DatabaseDriver.POSTGRESQL;
		return known ? POSTGRESQL : productOfConnection(dataSource);
	}

	/** Leaves it to the check of the tables to report a database that is away. */
	private static String productOfConnection(DataSource dataSource) {
		try (Connection connection = dataSource.getConnection()) {
			return connection.getMetaData().getDatabaseProductName();
		}
		catch (SQLException | IllegalStateException ex) { // the latter if it routes
			logger.debug("The kind of database is unknown", ex);
			return POSTGRESQL;
		}
	}

	private static @Nullable DataSource one(ObjectProvider<DataSource> beans,
			Function<Collection<String>, QueueDataSourceException> several) {
		try {
			return beans.getIfAvailable();
		}
		catch (NoUniqueBeanDefinitionException ex) {
			// no cause: Boot would analyze the cause, and not mention @QueueDataSource
			throw several.apply(Objects.requireNonNullElse(ex.getBeanNamesFound(), List.of()));
		}
	}

}
