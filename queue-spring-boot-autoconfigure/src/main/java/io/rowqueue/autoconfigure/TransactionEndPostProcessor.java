package io.rowqueue.autoconfigure;

import io.rowqueue.engine.database.TransactionEndListener;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.TransactionManager;

/**
 * Adds the queue's listener to all transaction managers, when they are created: the first
 * transaction may come before all singletons exist.
 */
final class TransactionEndPostProcessor implements BeanPostProcessor {

	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		return (bean instanceof TransactionManager manager) ? TransactionEndListener.addTo(manager) : bean;
	}

}
