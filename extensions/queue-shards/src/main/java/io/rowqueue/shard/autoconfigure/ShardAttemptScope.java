package io.rowqueue.shard.autoconfigure;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

import io.rowqueue.JobContext;
import io.rowqueue.listen.AttemptScope;
import io.rowqueue.shard.ShardScope;
import org.slf4j.MDC;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Names the shard of an attempt in its log lines, and enters the application's scopes.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
final class ShardAttemptScope implements AttemptScope {

	static final String SHARD = "jobShard";

	private final String shard;

	private final ObjectProvider<ShardScope> scopes;

	ShardAttemptScope(String shard, ObjectProvider<ShardScope> scopes) {
		this.shard = shard;
		this.scopes = scopes;
	}

	@Override
	public Opened open(JobContext job, Map<String, String> headers) {
		Deque<Opened> opened = new ArrayDeque<>();
		MDC.put(SHARD, this.shard);
		opened.push(() -> MDC.remove(SHARD));
		try {
			this.scopes.orderedStream().forEach((scope) -> opened.push(scope.open(this.shard)));
		}
		catch (RuntimeException | Error ex) {
			close(opened, ex);
			throw ex;
		}
		return () -> {
			IllegalStateException failure = new IllegalStateException("A scope of the shard could not be closed");
			close(opened, failure);
			if (failure.getSuppressed().length > 0) {
				throw failure;
			}
		};
	}

	/** The thread must not keep a scope because another one could not be closed. */
	private static void close(Deque<Opened> opened, Throwable failure) {
		for (Opened scope : opened) {
			try {
				scope.close();
			}
			catch (RuntimeException ex) {
				failure.addSuppressed(ex);
			}
		}
	}

}
