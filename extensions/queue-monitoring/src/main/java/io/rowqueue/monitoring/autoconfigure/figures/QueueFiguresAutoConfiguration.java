package io.rowqueue.monitoring.autoconfigure.figures;

import java.net.InetAddress;
import java.net.UnknownHostException;

import io.rowqueue.engine.database.ApplicationDataSource;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.figures.ErrorGroupStore;
import io.rowqueue.engine.figures.ErrorGroupsTask;
import io.rowqueue.engine.figures.FigureRights;
import io.rowqueue.engine.figures.FiguresRecorder;
import io.rowqueue.engine.figures.FiguresTask;
import io.rowqueue.engine.figures.JobTallies;
import io.rowqueue.engine.figures.ProcessInfo;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.worker.RunningWorkers;
import io.rowqueue.engine.worker.WorkerSettings;
import io.rowqueue.engine.worker.WorkerStatus;
import io.rowqueue.monitoring.autoconfigure.MonitoringProperties;
import io.rowqueue.observation.BoundedNames;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.info.BuildProperties;
import org.springframework.boot.info.GitProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the figures over time that the dashboard shows.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = "io.rowqueue.autoconfigure.worker.QueueMaintenanceAutoConfiguration")
@ConditionalOnBooleanProperty(name = { "rowqueue.enabled", "rowqueue.figures.enabled" }, matchIfMissing = true)
@EnableConfigurationProperties(MonitoringProperties.class)
public final class QueueFiguresAutoConfiguration {

	@Bean
	JobTallies rowqueueJobTallies(MonitoringProperties properties, WorkerSettings worker, Environment environment,
			ObjectProvider<BuildProperties> build, ObjectProvider<GitProperties> git) {
		int names = properties.measurement().maxNames();
		return new JobTallies(new BoundedNames(names, worker.queueNames()), new BoundedNames(names),
				ApplicationVersion.of(environment, build.getIfAvailable(), git.getIfAvailable()));
	}

	@Bean
	FigureRights rowqueueFigureRights() {
		return new FigureRights();
	}

	@Bean
	FiguresLifecycle rowqueueFiguresLifecycle(QueueDatabases databases, FigureRights rights, JobTallies tallies,
			MonitoringProperties properties, ApplicationDataSource application, ObjectProvider<RunningWorkers> workers,
			Outage outage) {
		return new FiguresLifecycle(
				() -> new FiguresRecorder(databases.worker(), rights, tallies, process(tallies.version()), () -> {
					RunningWorkers running = workers.getIfAvailable();
					return (running != null) ? running.status().map(WorkerStatus::id).orElse(null) : null;
				}), outage, () -> application.enabled() && properties.figures().enabled());
	}

	@Bean
	FiguresTask rowqueueFiguresTask(QueueDatabases databases, FigureRights rights, MonitoringProperties properties) {
		return new FiguresTask(databases.worker(), rights, properties.figures().kept());
	}

	@Bean
	ErrorGroupsTask rowqueueErrorGroupsTask(QueueDatabases databases, FigureRights rights) {
		return new ErrorGroupsTask(new ErrorGroupStore(databases.worker()), rights);
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
	static LazyInitializationExcludeFilter rowqueueFiguresLazyInitializationExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(FiguresLifecycle.class);
	}

}
