package io.rowqueue.autoconfigure;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.rowqueue.EnqueueResult;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.Job;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.PayloadCodec;
import io.rowqueue.autoconfigure.Notes.Note;
import io.rowqueue.autoconfigure.Notes.Seen;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.BatchProgress;
import io.rowqueue.flow.Flow;
import io.rowqueue.flow.FlowResult;
import io.rowqueue.step.SignalResult;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The way from an empty application to its first job. */
public class FirstJobTests {

	private final TestDatabase database = TestDatabase.withoutTables();

	private final ApplicationContextRunner application = Applications.on(this.database).withBean(Notes.class);

	@Test
	void aDataSourceAndAHandlerAreEnough() {
		this.application
			.withClassLoader(new FilteredClassLoader("io.micrometer.core", "org.springframework.boot.actuate"))
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean(JsonMapper.class);
				long id = context.getBean(JobQueue.class).enqueue("note", new Note("first")).id();
				Seen seen = context.getBean(Notes.class).await(1).get(0);
				assertThat(seen.text()).isEqualTo("first");
				assertThat(seen.id()).isEqualTo(id);
				awaitState(context.getBean(JobQueue.class), id, JobState.SUCCEEDED);
			});
	}

	@Test
	void theFirstJobRunsWithEverythingThatBootConfigures() {
		SpringApplication application = new SpringApplication(Everything.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		Properties properties = new Properties();
		for (String property : this.database.properties()) {
			properties.setProperty(property.split("=", 2)[0], property.split("=", 2)[1]);
		}
		properties.setProperty("spring.liquibase.enabled", "false");
		application.setDefaultProperties(properties);
		try (ConfigurableApplicationContext context = application.run()) {
			context.getBean(JobQueue.class).enqueue("note", new Note("everything"));
			assertThat(context.getBean(Notes.class).await(1).get(0).text()).isEqualTo("everything");
		}
	}

	@Test
	void aJobThatWasEnqueuedWhileTheApplicationWasDownRuns() {
		this.application.withPropertyValues("rowqueue.worker.enabled=false")
			.run((context) -> context.getBean(JobQueue.class).enqueue("note", new Note("earlier")));
		this.application
			.run((context) -> assertThat(context.getBean(Notes.class).await(1).get(0).text()).isEqualTo("earlier"));
	}

	@Test
	void theApplicationsOwnQueueAndCodecWin() {
		this.application.withBean(OwnQueue.class)
			.run((context) -> assertThat(context.getBean(JobQueue.class)).isInstanceOf(OwnQueue.class));
		this.application.withBean(OwnCodec.class).run((context) -> {
			long id = context.getBean(JobQueue.class).enqueue("other", new Note("x")).id();
			assertThat(context.getBean(JobQueue.class).find(id).orElseThrow().payload()).contains("own codec");
		});
	}

	public static void awaitState(JobQueue queue, long id, JobState state) {
		Awaitility.await().until(() -> queue.find(id).map(Job::state), Optional.of(state)::equals);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Everything {

		@Bean
		Notes notes() {
			return new Notes();
		}

	}

	static class OwnQueue implements JobQueue {

		@Override
		public FlowResult enqueue(Flow flow) {
			throw new UnsupportedOperationException();
		}

		@Override
		public long enqueueBatch(Batch batch, Stream<JobRequest> jobs) {
			throw new UnsupportedOperationException();
		}

		@Override
		public long addToBatch(long batchId, Stream<JobRequest> jobs) {
			throw new UnsupportedOperationException();
		}

		@Override
		public boolean closeBatch(long batchId) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Optional<BatchProgress> findBatch(long batchId) {
			throw new UnsupportedOperationException();
		}

		@Override
		public EnqueueResult enqueue(JobRequest request) {
			return new EnqueueResult(42, Outcome.CREATED);
		}

		@Override
		public List<EnqueueResult> enqueueAll(Collection<JobRequest> requests) {
			return List.of();
		}

		@Override
		public long enqueueAll(Stream<JobRequest> requests, Consumer<? super EnqueueResult> results) {
			return 0;
		}

		@Override
		public SignalResult signal(long jobId, String name, Object payload) {
			throw new UnsupportedOperationException();
		}

		@Override
		public SignalResult signal(String uniqueKey, String name, Object payload) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Optional<Job> find(long id) {
			return Optional.empty();
		}

		@Override
		public Optional<Job> await(long id, Duration timeout) {
			return Optional.empty();
		}

	}

	static class OwnCodec implements PayloadCodec {

		@Override
		public String write(Object payload, String jobType) {
			return "{\"text\":\"own codec\"}";
		}

		@Override
		public Object read(String json, Type target, String jobType) {
			return new Note(json);
		}

	}

}
