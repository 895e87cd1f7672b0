package io.pgqueue.autoconfigure;

import javax.sql.DataSource;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Where the queue's connections come from.
 *
 * @param enqueueing jobs are enqueued over it, in the transactions of the application
 */
record QueueConnections(DataSource enqueueing) {

	static QueueConnections choose(ObjectProvider<DataSource> marked, ObjectProvider<DataSource> others) {
		try {
			DataSource own = marked.getIfAvailable();
			DataSource chosen = (own != null) ? own : others.getIfAvailable();
			if (chosen == null) {
				throw new QueueDataSourceException("The job queue needs a DataSource, and there is none.");
			}
			return new QueueConnections(chosen);
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new QueueDataSourceException("The job queue cannot choose between the DataSource beans "
					+ String.join(", ", ex.getBeanNamesFound()) + ": none of them is primary.", ex);
		}
	}

}
