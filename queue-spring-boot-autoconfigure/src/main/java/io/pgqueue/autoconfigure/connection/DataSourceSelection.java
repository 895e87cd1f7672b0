package io.pgqueue.autoconfigure.connection;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;

/** Selects the application's {@link DataSource} that the queue uses. */
final class DataSourceSelection {

	private DataSourceSelection() {
	}

	static DataSource select(ObjectProvider<DataSource> marked, ObjectProvider<DataSource> others) {
		DataSource own = one(marked, QueueDataSourceException::severalMarked);
		DataSource selected = (own != null) ? own : one(others, QueueDataSourceException::several);
		if (selected == null) {
			throw QueueDataSourceException.none();
		}
		return selected;
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
