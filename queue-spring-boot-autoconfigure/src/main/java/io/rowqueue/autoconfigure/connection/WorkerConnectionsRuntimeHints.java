package io.rowqueue.autoconfigure.connection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;

import io.rowqueue.engine.database.BoundedSocketFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * The connections of workers are proxies behind a pooler, or if another pool lends them.
 * The driver makes their socket factory by its name.
 */
class WorkerConnectionsRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.proxies()
			.registerJdkProxy(Connection.class)
			.registerJdkProxy(PreparedStatement.class)
			.registerJdkProxy(Statement.class);
		hints.reflection().registerType(BoundedSocketFactory.class, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
	}

}
