package io.rowqueue.testing;

import javax.sql.DataSource;

import io.rowqueue.engine.database.TransactionEndListener;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions that an application with the queue begins. */
public final class Transactions {

	private Transactions() {
	}

	public static DataSourceTransactionManager manager(DataSource dataSource) {
		return TransactionEndListener.addTo(new DataSourceTransactionManager(dataSource));
	}

	public static TransactionTemplate template(DataSource dataSource) {
		return new TransactionTemplate(manager(dataSource));
	}

}
