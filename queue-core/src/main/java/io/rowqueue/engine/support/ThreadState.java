package io.rowqueue.engine.support;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.i18n.LocaleContext;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;

/**
 * What a thread has before it runs code of the application, which must not leave anything
 * behind: in a transaction that it did not end, all that later jobs of the thread write
 * would be lost.
 */
public final class ThreadState {

	private static final Logger logger = LoggerFactory.getLogger(ThreadState.class);

	private final Thread thread = Thread.currentThread();

	private final String name = this.thread.getName();

	private final int priority = this.thread.getPriority();

	private final @Nullable ClassLoader loader = this.thread.getContextClassLoader();

	private final @Nullable LocaleContext locale = LocaleContextHolder.getLocaleContext();

	private final boolean transaction = TransactionSynchronizationManager.isActualTransactionActive();

	private final boolean synchronization = TransactionSynchronizationManager.isSynchronizationActive();

	/** Most often, nothing is bound. */
	private final Map<Object, Object> resources;

	private ThreadState() {
		Map<Object, Object> bound = TransactionSynchronizationManager.getResourceMap();
		this.resources = bound.isEmpty() ? Map.of() : new HashMap<>(bound);
	}

	/** The state of the calling thread. */
	public static ThreadState current() {
		return new ThreadState();
	}

	/**
	 * Gives the calling thread, whose state this is, what it had. A transaction that was
	 * left open is rolled back, and its connection returned.
	 * @return what of transactions was left, in words; {@code null}: nothing
	 */
	public @Nullable String restore() {
		restoreThread();
		String left = left();
		if (left != null) {
			end();
		}
		return left;
	}

	/**
	 * {@linkplain #restore() Gives} the thread what it had, and logs what was left.
	 * @param who has left it
	 */
	public void restoreAfter(Object who) {
		String left = restore();
		if (left != null) {
			logger.error(
					"{} has left {} on the thread {}. It was ended, and what was written in it is lost. Find what"
							+ " begins it (a listener, an interceptor or a scope of the application), and end it there",
					who, left, this.name);
		}
	}

	@SuppressWarnings("ThreadPriorityCheck") // what was there before
	private void restoreThread() {
		if (this.thread.getContextClassLoader() != this.loader) {
			this.thread.setContextClassLoader(this.loader);
		}
		if (!this.name.equals(this.thread.getName())) {
			this.thread.setName(this.name);
		}
		if (this.thread.getPriority() != this.priority) {
			this.thread.setPriority(this.priority);
		}
		if (LocaleContextHolder.getLocaleContext() != this.locale) {
			LocaleContextHolder.setLocaleContext(this.locale);
		}
	}

	/**
	 * Within a transaction, libraries bind more resources until it ends; those that were
	 * bound before are replaced by another transaction only.
	 */
	private @Nullable String left() {
		Map<Object, Object> bound = TransactionSynchronizationManager.getResourceMap();
		if (isReplaced(bound) || TransactionSynchronizationManager.isActualTransactionActive() != this.transaction) {
			return "an open transaction";
		}
		if (TransactionSynchronizationManager.isSynchronizationActive() != this.synchronization) {
			return "an active transaction synchronization";
		}
		if (!this.synchronization && bound.size() != this.resources.size()) {
			List<String> kinds = bound.entrySet()
				.stream()
				.filter((entry) -> !this.resources.containsKey(entry.getKey()))
				.map((entry) -> entry.getValue().getClass().getSimpleName())
				.sorted()
				.toList();
			return "resources that are bound to it (" + String.join(", ", kinds) + ")";
		}
		return null;
	}

	private boolean isReplaced(Map<Object, Object> bound) {
		for (Map.Entry<Object, Object> before : this.resources.entrySet()) {
			if (bound.get(before.getKey()) != before.getValue()) {
				return true;
			}
		}
		return false;
	}

	private void end() {
		List<TransactionSynchronization> synchronizations = List.of();
		if (TransactionSynchronizationManager.isSynchronizationActive()) {
			TransactionSynchronizationUtils.triggerBeforeCompletion();
			synchronizations = TransactionSynchronizationManager.getSynchronizations();
		}
		new HashMap<>(TransactionSynchronizationManager.getResourceMap()).forEach((key, value) -> {
			if (this.resources.get(key) != value) {
				TransactionSynchronizationManager.unbindResource(key);
				release(key, value);
			}
		});
		TransactionSynchronizationManager.clear();
		TransactionSynchronizationUtils.invokeAfterCompletion(synchronizations,
				TransactionSynchronization.STATUS_ROLLED_BACK);
		this.resources.forEach((key, value) -> {
			if (!TransactionSynchronizationManager.hasResource(key)) {
				TransactionSynchronizationManager.bindResource(key, value);
			}
		});
		if (this.synchronization) {
			TransactionSynchronizationManager.initSynchronization();
		}
		TransactionSynchronizationManager.setActualTransactionActive(this.transaction);
	}

	private static void release(Object key, Object value) {
		if (!(value instanceof ConnectionHolder holder)) {
			return;
		}
		try {
			Connection connection = Objects.requireNonNull(holder.getConnection());
			try {
				if (!connection.getAutoCommit()) {
					connection.rollback();
					connection.setAutoCommit(true);
				}
			}
			finally {
				DataSourceUtils.releaseConnection(connection,
						(key instanceof DataSource dataSource) ? dataSource : null);
			}
		}
		catch (SQLException | RuntimeException ex) { // a lost connection rolls back
														// itself
			logger.debug("The connection of a transaction that was left open could not be released", ex);
		}
	}

}
