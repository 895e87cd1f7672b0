package io.rowqueue.autoconfigure.worker;

import java.util.Optional;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.rowqueue.engine.database.JobTransactions;
import io.rowqueue.engine.database.ShardTransactions;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.handler.InvalidJobHandlerException;
import io.rowqueue.engine.handler.RegisteredHandler;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.transaction.PlatformTransactionManager;

/** Finds the transaction manager for transactional handlers, if there are any. */
final class HandlerTransactions {

	private static final String NOT_TRANSACTIONAL = ", or remove transactional = true and make the handler"
			+ " idempotent.";

	private final DataSource queue;

	private final ObjectProvider<PlatformTransactionManager> managers;

	/** Of a shard besides the home shard. */
	private final @Nullable ShardTransactions shard;

	HandlerTransactions(DataSource queue, ObjectProvider<PlatformTransactionManager> managers,
			@Nullable ShardTransactions shard) {
		this.queue = queue;
		this.managers = managers;
		this.shard = shard;
	}

	/**
	 * Returns the transactions of transactional handlers, or {@code null} if there are
	 * none.
	 * @throws InvalidJobHandlerException if their writes could not be committed together
	 * with the end of their jobs
	 */
	@Nullable JobTransactions of(HandlerRegistry registry) {
		Optional<RegisteredHandler> handler = registry.handlers()
			.stream()
			.filter((each) -> each.options().transactional())
			.findFirst();
		return handler.isPresent() ? transactions(handler.get()) : null;
	}

	/** Where there are several shards, each may have a transaction manager of its own. */
	private JobTransactions transactions(RegisteredHandler handler) {
		PlatformTransactionManager manager = manager(handler);
		return Stream.concat(Stream.of(manager), this.managers.stream().filter((other) -> other != manager))
			.filter((each) -> this.shard == null || !this.shard.isElsewhere(each))
			.map((each) -> new JobTransactions(each, this.queue))
			.filter(JobTransactions::includeTheQueue)
			.findFirst()
			.or(() -> ofShard(manager))
			.orElseThrow(() -> refused(handler, manager));
	}

	private Optional<JobTransactions> ofShard(PlatformTransactionManager application) {
		return Optional.ofNullable(this.shard)
			.filter((transactions) -> transactions.canReplace(application))
			.map((transactions) -> new JobTransactions(transactions.create(), this.queue));
	}

	private InvalidJobHandlerException refused(RegisteredHandler handler, PlatformTransactionManager manager) {
		return new InvalidJobHandlerException(handler.description(),
				"is transactional, but the transactions of the application's transaction manager ("
						+ manager.getClass().getName() + ") do not include the queue's DataSource: its writes and"
						+ " the end of its job could not be committed together",
				((this.shard != null) ? "Declare a PlatformTransactionManager of the shard's DataSource"
						: "Keep the queue in the database of these transactions (without @QueueDataSource on another one)")
						+ NOT_TRANSACTIONAL);
	}

	private PlatformTransactionManager manager(RegisteredHandler handler) {
		try {
			PlatformTransactionManager manager = this.managers.getIfAvailable();
			if (manager != null) {
				return manager;
			}
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new InvalidJobHandlerException(handler.description(),
					"is transactional, but there are several transaction managers and none is primary",
					"Make the one of the queue's DataSource @Primary" + NOT_TRANSACTIONAL, ex);
		}
		throw new InvalidJobHandlerException(handler.description(),
				"is transactional, but there is no transaction manager",
				"Declare a PlatformTransactionManager of the queue's DataSource" + NOT_TRANSACTIONAL);
	}

}
