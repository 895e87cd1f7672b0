package io.pgqueue.autoconfigure.figures;

import java.net.InetAddress;
import java.net.UnknownHostException;

import io.pgqueue.autoconfigure.QueueDatabases;
import io.pgqueue.autoconfigure.ApplicationDataSource;
import io.pgqueue.autoconfigure.QueueProperties;
import io.pgqueue.autoconfigure.worker.QueueLifecycle;
import io.pgqueue.autoconfigure.worker.QueueMaintenanceAutoConfiguration;
import io.pgqueue.engine.figures.ErrorGroupStore;
import io.pgqueue.engine.figures.ErrorGroupsTask;
import io.pgqueue.engine.figures.FigureRights;
import io.pgqueue.engine.figures.FiguresRecorder;
import io.pgqueue.engine.figures.FiguresTask;
import io.pgqueue.engine.figures.JobTallies;
import io.pgqueue.engine.figures.ProcessInfo;
import io.pgqueue.engine.support.BoundedNames;
import io.pgqueue.engine.support.Outage;
import io.pgqueue.engine.worker.WorkerStatus;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.info.BuildProperties;
import org.springframework.boot.info.GitProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the figures over time that the dashboard shows.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueMaintenanceAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = { "pgqueue.enabled", "pgqueue.figures.enabled" }, matchIfMissing = true)
public final class QueueFiguresAutoConfiguration {

	@Bean
	JobTallies pgqueueJobTallies(QueueProperties properties, Environment environment,
			ObjectProvider<BuildProperties> build, ObjectProvider<GitProperties> git) {
		int names = properties.measurement().maxNames();
		return new JobTallies(new BoundedNames(names, properties.worker().queueNames()), new BoundedNames(names),
				ApplicationVersion.of(environment, build.getIfAvailable(), git.getIfAvailable()));
	}

	@Bean
	FigureRights pgqueueFigureRights() {
		return new FigureRights();
	}

	@Bean
	FiguresLifecycle pgqueueFiguresLifecycle(QueueDatabases databases, FigureRights rights, JobTallies tallies,
			QueueProperties properties, ApplicationDataSource application, ObjectProvider<QueueLifecycle> worker,
			Outage outage) {
		return new FiguresLifecycle(
				() -> new FiguresRecorder(databases.worker(), rights, tallies, process(tallies.version()), () -> {
					QueueLifecycle lifecycle = worker.getIfAvailable();
					return (lifecycle != null) ? lifecycle.status().map(WorkerStatus::id).orElse(null) : null;
				}), outage, () -> application.enabled() && properties.figures().enabled());
	}

	@Bean
	FiguresTask pgqueueFiguresTask(QueueDatabases databases, FigureRights rights, QueueProperties properties) {
		return new FiguresTask(databases.worker(), rights, properties.figures().kept());
	}

	@Bean
	ErrorGroupsTask pgqueueErrorGroupsTask(ErrorGroupStore store, FigureRights rights) {
		return new ErrorGroupsTask(store, rights);
	}

	/** Named as its worker is. */
	private static ProcessInfo process(String version) {
		String host = host();
		return new ProcessInfo(host + ":" + ProcessHandle.current().pid(), version, Runtime.version().toString(), host);
	}

	private static String host() {
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "unknown";
		}
	}

	/** No bean depends on it: lazy initialization would omit it. */
	@Bean
	static LazyInitializationExcludeFilter pgqueueFiguresLazyInitializationExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(FiguresLifecycle.class);
	}

}
