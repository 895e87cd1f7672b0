package io.rowqueue.cli.dashboard;

import java.util.HashMap;
import java.util.Map;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.admin.autoconfigure.QueueAdminAutoConfiguration;
import io.rowqueue.autoconfigure.QueueAutoConfiguration;
import io.rowqueue.autoconfigure.QueueLimitsAutoConfiguration;
import io.rowqueue.autoconfigure.connection.QueueConnectionAutoConfiguration;
import io.rowqueue.autoconfigure.handler.QueueHandlerAutoConfiguration;
import io.rowqueue.autoconfigure.schema.QueueSchemaAutoConfiguration;
import io.rowqueue.dashboard.autoconfigure.QueueDashboardAutoConfiguration;
import io.rowqueue.monitoring.autoconfigure.measurement.QueueMeasurementAutoConfiguration;
import io.rowqueue.schedule.autoconfigure.QueueSchedulesAutoConfiguration;
import io.rowqueue.window.autoconfigure.QueueWindowsAutoConfiguration;
import jakarta.servlet.ServletContext;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.web.context.servlet.AnnotationConfigServletWebApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.DefaultLifecycleProcessor;

/**
 * The queue of one database, and its dashboard. Nothing runs in it by itself: it has no
 * worker, changes no table, and none of its background threads starts.
 */
final class DatabaseContext extends AnnotationConfigServletWebApplicationContext {

	DatabaseContext(ServedDatabase database, HikariDataSource pool, Map<String, Object> access,
			ServletContext servlet) {
		setDisplayName("rowqueue dashboard of " + database.name());
		setServletContext(servlet);
		setEnvironment(new OwnEnvironment(properties(database, access)));
		registerBean("dataSource", HikariDataSource.class, () -> pool);
		registerBean(LIFECYCLE_PROCESSOR_BEAN_NAME, NothingStarts.class, NothingStarts::new);
		register(Parts.class);
	}

	private static Map<String, Object> properties(ServedDatabase database, Map<String, Object> access) {
		Map<String, Object> properties = new HashMap<>(access);
		properties.put("rowqueue.schema.name", database.schema().value());
		properties.put("rowqueue.schema.mode", "validate");
		properties.put("rowqueue.worker.enabled", false);
		properties.put("rowqueue.dashboard.path", "/" + database.name());
		properties.put("rowqueue.dashboard.title", database.name());
		return properties;
	}

	/** What the dashboard needs; what writes figures, for example, is missing. */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ QueueConnectionAutoConfiguration.class, QueueSchemaAutoConfiguration.class,
			QueueHandlerAutoConfiguration.class, QueueAutoConfiguration.class, QueueLimitsAutoConfiguration.class,
			QueueAdminAutoConfiguration.class, QueueSchedulesAutoConfiguration.class,
			QueueWindowsAutoConfiguration.class, QueueMeasurementAutoConfiguration.class,
			QueueDashboardAutoConfiguration.class })
	static class Parts {

	}

	/** Leaves everything that has a thread stopped. */
	private static final class NothingStarts extends DefaultLifecycleProcessor {

		@Override
		public void onRefresh() {
			// nothing starts
		}

	}

}
