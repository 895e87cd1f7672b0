package io.rowqueue.cli.dashboard;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;

import io.rowqueue.dashboard.autoconfigure.DashboardAccessConfiguration;
import io.rowqueue.dashboard.autoconfigure.ServletDashboard;
import io.rowqueue.dashboard.http.Api;
import io.rowqueue.dashboard.http.Dashboard;
import io.rowqueue.dashboard.http.Gate;
import io.rowqueue.dashboard.http.Json;
import io.rowqueue.dashboard.http.Routes;
import io.rowqueue.dashboard.http.SecurityHeaders;
import io.rowqueue.dashboard.http.Shards;
import io.rowqueue.dashboard.web.Assets;
import io.rowqueue.engine.measure.Measurements;
import io.rowqueue.migration.QueueSchemaException;
import io.rowqueue.monitoring.autoconfigure.measurement.MeasurementLoop;
import jakarta.servlet.ServletContext;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ApplicationContextException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Serves the dashboards of several databases on one port, each below its name. One that
 * cannot be used does not affect the others.
 */
public final class DashboardServer implements AutoCloseable {

	/** Kept, since a logger that nobody has loses its level. */
	private static final Logger TOMCAT = Logger.getLogger("org.apache");

	private final AnnotationConfigServletWebServerApplicationContext context;

	private final Mounts mounts;

	private DashboardServer(AnnotationConfigServletWebServerApplicationContext context) {
		this.context = context;
		this.mounts = context.getBean(Mounts.class);
	}

	/**
	 * Starts the server, and tries to open each database.
	 * @param databases the databases, with different names
	 * @param settings where it listens, and for whom
	 * @param words says why the queue of a database cannot be used
	 * @throws PortInUseException if another process listens there
	 */
	public static DashboardServer start(List<ServedDatabase> databases, Settings settings,
			Function<QueueSchemaException, String> words) throws InterruptedException {
		TOMCAT.setLevel(Level.WARNING);
		AnnotationConfigServletWebServerApplicationContext context = new AnnotationConfigServletWebServerApplicationContext();
		context.setEnvironment(new OwnEnvironment(settings.properties()));
		context.registerBean(Mounts.class,
				() -> new Mounts(databases.stream()
					.map((database) -> new Mount(database,
							(pool) -> opened(new DatabaseContext(database, pool, settings.access(),
									context.getBean(ServletContext.class)), settings.measure()),
							words))
					.toList()));
		context.register(Host.class);
		try {
			context.refresh();
		}
		catch (ApplicationContextException ex) {
			throw (ex.getCause() instanceof PortInUseException inUse) ? inUse : ex;
		}
		DashboardServer server = new DashboardServer(context);
		server.mounts.open();
		return server;
	}

	private static ConfigurableApplicationContext opened(DatabaseContext database, boolean measure) {
		database.refresh();
		if (measure) {
			database.getBean(Measurements.class).request();
			database.getBean(MeasurementLoop.class).start();
		}
		return database;
	}

	/** Returns the port that it listens on. */
	public int port() {
		return Objects.requireNonNull(this.context.getWebServer()).getPort();
	}

	/** Returns the problem of each database by its name; empty: there is none. */
	public Map<String, Optional<String>> problems() {
		Map<String, Optional<String>> problems = new LinkedHashMap<>();
		this.mounts.list
			.forEach((mount) -> problems.put(mount.database().name(), Optional.ofNullable(mount.problem())));
		return problems;
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * Where it listens, and for whom.
	 *
	 * @param address the address that it listens at
	 * @param port the port; 0 for any
	 * @param access the properties of the dashboards
	 * @param measure whether it measures the queues, as their applications do
	 */
	public record Settings(String address, int port, Map<String, Object> access, boolean measure) {

		Map<String, Object> properties() {
			Map<String, Object> properties = new HashMap<>(this.access);
			properties.put("server.address", this.address);
			properties.put("server.port", this.port);
			properties.put("spring.web.resources.add-mappings", false);
			return properties;
		}

	}

	/** The dashboards, closed before the server. */
	record Mounts(List<Mount> list) implements AutoCloseable {

		/** At the same time: a database that is away takes seconds to say so. */
		void open() throws InterruptedException {
			List<Thread> threads = this.list.stream()
				.map((mount) -> new Thread(mount::open, "rowqueue-open-" + mount.database().name()))
				.toList();
			threads.forEach((thread) -> {
				thread.setDaemon(true);
				thread.start();
			});
			for (Thread thread : threads) {
				thread.join();
			}
		}

		@Override
		public void close() {
			this.list.forEach(Mount::close);
		}

	}

	/** The server, and what is at its root. */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ TomcatServletWebServerAutoConfiguration.class, DispatcherServletAutoConfiguration.class,
			WebMvcAutoConfiguration.class })
	@Import(DashboardAccessConfiguration.class)
	static class Host {

		/** What no open dashboard answers is for the page in front of them. */
		@Bean
		RouterFunction<ServerResponse> routes(Mounts mounts, Gate gate) throws IOException {
			RouterFunction<ServerResponse> front = new ServletDashboard(
					new Dashboard("", gate, new Api(new Routes(List.of()), new Json()), Shards.NONE,
							new Front(mounts.list, Assets.load(DashboardServer.class.getClassLoader())),
							new SecurityHeaders("'none'")))
				.routes();
			return (request) -> mounts.list.stream()
				.flatMap((mount) -> mount.route(request).stream())
				.findFirst()
				.or(() -> front.route(request));
		}

	}

}
