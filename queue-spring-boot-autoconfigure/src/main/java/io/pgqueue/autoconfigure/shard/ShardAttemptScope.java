package io.pgqueue.autoconfigure.shard;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

import io.pgqueue.JobContext;
import io.pgqueue.listen.AttemptScope;
import io.pgqueue.shard.ShardScope;
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
			opened.forEach(Opened::close);
			throw ex;
		}
		return () -> opened.forEach(Opened::close);
	}

}
