package io.pgqueue.autoconfigure.connection;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Where the queue's connections come from.
 *
 * @param enqueueing jobs are enqueued over it, in the transactions of the application
 */
public record QueueConnections(DataSource enqueueing) {

	public static QueueConnections choose(ObjectProvider<DataSource> marked, ObjectProvider<DataSource> others) {
		DataSource own = one(marked, QueueDataSourceException::severalMarked);
		DataSource chosen = (own != null) ? own : one(others, QueueDataSourceException::several);
		if (chosen == null) {
			throw QueueDataSourceException.none();
		}
		return new QueueConnections(chosen);
	}

	private static @Nullable DataSource one(ObjectProvider<DataSource> beans,
			Function<Collection<String>, QueueDataSourceException> several) {
		try {
			return beans.getIfAvailable();
		}
		catch (NoUniqueBeanDefinitionException ex) {
			// no cause: Boot would explain that one, and not name @QueueDataSource
			throw several.apply(Objects.requireNonNullElse(ex.getBeanNamesFound(), List.of()));
		}
	}

}
