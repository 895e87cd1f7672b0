package io.rowqueue.shard.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.admin.FlowAdmin;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.JobCount;
import io.rowqueue.admin.JobEditor;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.JobView;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.WrittenJob;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.operation.Operation;
import io.rowqueue.admin.operation.OperationOutcome;
import io.rowqueue.admin.operation.Operations;
import io.rowqueue.admin.operation.RecordedOperation;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.control.CancelResult;
import io.rowqueue.engine.database.TransactionEndListener;
import io.rowqueue.engine.shard.SharedSlots;
import io.rowqueue.flow.Flow;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.shard.Shard;
import io.rowqueue.shard.ShardAdmin;
import io.rowqueue.shard.ShardScope;
import io.rowqueue.shard.ShardSource;
import io.rowqueue.shard.Shards;
import io.rowqueue.window.Window;
import io.rowqueue.window.Windows;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.MDC;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** An application whose queue has three databases. */
@Execution(ExecutionMode.CONCURRENT)
class ShardsTests {

	@RegisterExtension
	private final TestDatabase home = new TestDatabase();

	@RegisterExtension
	private final TestDatabase eu = new TestDatabase();

	@RegisterExtension
	private final TestDatabase us = new TestDatabase();

	private final ApplicationContextRunner withoutUs = Applications.on(this.home)
		.withUserConfiguration(Handlers.class)
		.withPropertyValues(this.eu.address().properties("rowqueue.shards.eu"))
		.withInitializer(Applications.awaitingShards("eu"));

	private final ApplicationContextRunner application = this.withoutUs
		.withPropertyValues(this.us.address().properties("rowqueue.shards.us"))
		.withInitializer(Applications.awaitingShards("us"));

	@Test
	void jobsWithoutAKeyRunInAllShards() {
		this.application.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(Shards.class).list()).extracting(Shard::name)
				.containsExactlyInAnyOrder("home", "eu", "us");
			List<Long> ids = enqueue(context, 30);
			Ran ran = context.getBean(Ran.class);
			Awaitility.await().until(() -> ran.shards().keySet().containsAll(ids));
			ids.forEach((id) -> assertThat(ran.shards()).containsEntry(id,
					context.getBean(Shards.class).of(id).orElseThrow().name()));
			assertThat(ran.shards().values()).contains("home", "eu", "us");
			assertThat(new HashSet<>(ids)).hasSize(30);
		});
	}

	@Test
	void jobsAreSearchedAndOperationsRecordedByShard() {
		this.application.withPropertyValues("rowqueue.worker.enabled=false").run((context) -> {
			Shards shards = context.getBean(Shards.class);
			long home = shards.queue("home").enqueue("note", 1).id();
			long eu = shards.queue("eu").enqueue("note", 2).id();
			assertThat(shards.admin("eu").search().find(JobFilter.ofQuery("state=queued"), null, 10).jobs())
				.extracting(JobView::id)
				.containsExactly(eu);
			assertThat(context.getBean(JobSearch.class).find(JobFilter.ofQuery("state=queued"), null, 10).jobs())
				.extracting(JobView::id)
				.containsExactly(home);
			shards.admin("eu")
				.operations()
				.perform(Operation.of("ada", "code", "check", "queues", "mail"), () -> "looked",
						(done) -> OperationOutcome.done(done, null));
			Operations.Filter all = Operations.Filter.ALL;
			assertThat(shards.admin("eu").operations().list(all, Long.MAX_VALUE, 10)).extracting(RecordedOperation::who)
				.containsExactly("ada");
			assertThat(context.getBean(Operations.class).list(all, Long.MAX_VALUE, 10)).isEmpty();
			assertThatExceptionOfType(DataAccessResourceFailureException.class).isThrownBy(() -> shards.admin("asia"));
		});
	}

	@Test
	void payloadsAreEditedInOneShard() {
		this.application.withPropertyValues("rowqueue.worker.enabled=false").run((context) -> {
			Shards shards = context.getBean(Shards.class);
			ShardAdmin europe = shards.admin("eu");
			long eu = shards.queue("eu").enqueue("note", 1).id();
			assertThat(context.getBean(JobEditor.class).edit(eu, "2", null)).as("of the home shard")
				.isEqualTo(JobEditor.EditResult.NOT_WAITING);
			assertThat(europe.editor().edit(eu, "2", null)).isEqualTo(JobEditor.EditResult.EDITED);
			assertThat(europe.search().find(JobFilter.ofQuery("state=queued"), null, 10).jobs())
				.extracting(JobView::payload)
				.containsExactly("2");
			assertThat(shards.of(europe.editor().replay(eu, "3").orElseThrow())).map(Shard::name).contains("eu");
			assertThat(shards.of(europe.editor().enqueue(WrittenJob.of("note").payload("4")))).map(Shard::name)
				.contains("eu");
		});
	}

	@Test
	void aJobGoesWhereTheTransactionIs() {
		this.application
			.withBean("usDataSource", DataSource.class, this.us::dataSource, (bean) -> bean.setPrimary(false))
			.withBean("homeDataSource", DataSource.class, this.home::dataSource, (bean) -> bean.setPrimary(true))
			.withPropertyValues("rowqueue.worker.enabled=false", "rowqueue.shards.us.url=",
					"rowqueue.shards.us.datasource=usDataSource")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				JobQueue queue = context.getBean(JobQueue.class);
				TransactionTemplate inUs = new TransactionTemplate(TransactionEndListener
					.addTo(new DataSourceTransactionManager(context.getBean("usDataSource", DataSource.class))));
				long id = inUs.execute((status) -> queue.enqueue(JobRequest.of("note", 1).uniqueKey("a")).id());
				inUs.executeWithoutResult((status) -> {
					queue.enqueue("note", 2);
					status.setRollbackOnly();
				});
				assertThat(this.us.count("select count(*) from rowqueue.job")).isOne();
				assertThat(context.getBean(Shards.class).of(id)).map(Shard::name).contains("us");
				assertThat(queue.find(id)).isPresent();
				long other = queue.enqueue(JobRequest.of("note", 1).uniqueKey("b")).id();
				assertThatExceptionOfType(JobQueueException.class)
					.isThrownBy(() -> inUs.execute((status) -> queue.enqueue(JobRequest.of("note", 3).after(other))))
					.withMessageContaining("job " + other + " belongs to the shard 'home'");
			});
	}

	@Test
	void aJobWithAKeyGoesHome() {
		this.application.withPropertyValues("rowqueue.worker.enabled=false").run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			Set<Long> ids = IntStream.range(0, 6)
				.mapToObj((i) -> queue.enqueue(JobRequest.of("note", i).uniqueKey("same")).id())
				.collect(Collectors.toSet());
			assertThat(ids).hasSize(1);
			queue.enqueueAll(
					IntStream.range(0, 20).mapToObj((i) -> JobRequest.of("note", i).uniqueKey("key" + i)).toList());
			assertThat(this.home.count("select count(*) from rowqueue.job")).isEqualTo(21);
			this.eu.execute(
					"insert into rowqueue.shard_bucket (bucket, state) select b, 'owned' from generate_series(0, 4095) b");
		});
		this.application.withPropertyValues("rowqueue.worker.enabled=false").run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			queue.enqueue(JobRequest.of("note", 1).uniqueKey("another"));
			assertThat(this.eu.count("select count(*) from rowqueue.job")).isOne();
			long id = queue.enqueue(JobRequest.of("note", 1).uniqueByPayload()).id();
			assertThat(queue.enqueue(JobRequest.of("note", 1).uniqueByPayload()).id()).isEqualTo(id);
			assertThat(this.eu.count("select count(*) from rowqueue.job where unique_key like 'payload:%'")).isOne();
			assertThat(context.getBean(Shards.class).list()).filteredOn((shard) -> shard.buckets() > 0)
				.extracting(Shard::name)
				.containsExactly("eu");
		});
	}

	@Test
	void theAdministrationIsThatOfOneShard() {
		this.application.withPropertyValues("rowqueue.worker.enabled=false").run((context) -> {
			Shards shards = context.getBean(Shards.class);
			for (long id : enqueue(context, 9)) {
				Shard holder = shards.holding(id).orElseThrow();
				assertThat(context.getBean(JobAdmin.class).cancel(id)).as("of the home shard")
					.isEqualTo(holder.home() ? CancelResult.CANCELLED : CancelResult.NOT_FOUND);
				shards.admin(holder.name()).jobs().cancel(id);
				assertThat(context.getBean(JobQueue.class).find(id).orElseThrow().state())
					.isEqualTo(JobState.CANCELLED);
			}
			assertThat(shards.holding(77_777_777)).isEmpty();
			change(context.getBean(JobAdmin.class), context.getBean(JobLimits.class), context.getBean(Windows.class));
			assertThat(changes(this.home)).isEqualTo(3);
			assertThat(changes(this.eu)).isZero();
			ShardAdmin europe = shards.admin("eu");
			change(europe.jobs(), europe.limits(), europe.windows());
			assertThat(changes(this.eu)).isEqualTo(3);
			assertThat(changes(this.us)).isZero();
			assertThat(europe.jobs().pauses()).hasSize(1);
			assertThat(shards.admin("us").jobs().pauses()).isEmpty();
			shards.queue("us").enqueue(Flow.named("flow").job("only", JobRequest.of("note", 1)));
			assertThat(shards.admin("us").flows().unfinished(10)).hasSize(1);
			assertThat(context.getBean(FlowAdmin.class).unfinished(10)).isEmpty();
			assertThat(shards.admin("us").overview().jobs()).containsExactly(new JobCount("default", "queued", 1));
			assertThat(context.getBean(QueueOverview.class).jobs()).isEmpty();
		});
	}

	private static void change(JobAdmin admin, JobLimits limits, Windows windows) {
		admin.pauseQueue("default", "test");
		limits.set(LimitKind.QUEUE, "mail", Limit.concurrency(1));
		windows.put(Window.of("night", "UTC", "22:00-06:00"));
	}

	private static long changes(TestDatabase database) {
		return database.count("select (select count(*) from rowqueue.pause) + (select count(*) from rowqueue.job_limit)"
				+ " + (select count(*) from rowqueue.time_window)");
	}

	@Test
	void aShardThatIsNotAvailableAtTheStartHurtsNothingElse() {
		this.withoutUs
			.withPropertyValues("rowqueue.shards.us.url=jdbc:postgresql://localhost:1/none",
					"management.health.rowqueue.enabled=true")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				List<Long> ids = enqueue(context, 10);
				Awaitility.await().until(() -> context.getBean(Ran.class).shards().keySet().containsAll(ids));
				assertThat(context.getBean(Ran.class).shards().values()).contains("home", "eu").doesNotContain("us");
				assertThat(context.getBean(ShardsHealthIndicator.class).health().getStatus().getCode())
					.isEqualTo("DEGRADED");
			});
	}

	@Test
	void metersHaveTheShardAsATag() {
		this.application.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run((context) -> {
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			assertThat(registry.getMeters()
				.stream()
				.map(Meter::getId)
				.filter((id) -> id.getName().startsWith("rowqueue."))).isNotEmpty()
				.allMatch((id) -> id.getTag("shard") != null);
			assertThat(registry.find("rowqueue.workers").gauges()).extracting((gauge) -> gauge.getId().getTag("shard"))
				.containsExactlyInAnyOrder("home", "eu", "us");
		});
	}

	@Test
	void theMetersOfAShardGoAndComeWithIt() {
		Map<String, DataSource> tenants = new ConcurrentHashMap<>(Map.of("eu", this.eu.dataSource()));
		Applications.on(this.home)
			.withUserConfiguration(Handlers.class)
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(ShardSource.class, () -> () -> Map.copyOf(tenants))
			.run((context) -> {
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				Shards shards = context.getBean(Shards.class);
				awaitHeartbeat(registry);
				tenants.clear();
				shards.refresh();
				Awaitility.await()
					.untilAsserted(
							() -> assertThat(registry.getMeters()).extracting((meter) -> meter.getId().getTag("shard"))
								.contains("home")
								.doesNotContain("eu"));
				tenants.put("eu", this.eu.dataSource());
				shards.refresh();
				awaitHeartbeat(registry);
			});
	}

	private static void awaitHeartbeat(MeterRegistry registry) {
		Awaitility.await()
			.until(() -> registry.find("rowqueue.worker.heartbeat.age")
				.tag("shard", "eu")
				.gauges()
				.stream()
				.anyMatch((gauge) -> !Double.isNaN(gauge.value())));
	}

	@Test
	void shardsComeAndGoWhileTheApplicationRuns() {
		Map<String, DataSource> tenants = new ConcurrentHashMap<>();
		Applications.on(this.home)
			.withUserConfiguration(Handlers.class)
			.withBean(ShardSource.class, () -> () -> Map.copyOf(tenants))
			.run((context) -> {
				Shards shards = context.getBean(Shards.class);
				assertThat(shards.list()).extracting(Shard::name).containsExactly("home");
				tenants.put("eu", this.eu.dataSource());
				shards.refresh();
				Awaitility.await().until(() -> shards.list().size() == 2);
				long id = shards.queue("eu").enqueue("note", 1).id();
				Awaitility.await().until(() -> context.getBean(Ran.class).shards().containsKey(id));
				assertThat(this.eu.count("select count(*) from rowqueue.worker")).isOne();
				tenants.clear();
				shards.refresh();
				Awaitility.await().until(() -> shards.list().size() == 1);
				Awaitility.await().until(() -> this.eu.count("select count(*) from rowqueue.worker") == 0);
			});
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void anotherDataSourceForAShardIsUsedAfterTheShardWasLeftOut(CapturedOutput output) {
		Map<String, DataSource> tenants = new ConcurrentHashMap<>(Map.of("eu", this.eu.dataSource()));
		Applications.on(this.home)
			.withUserConfiguration(Handlers.class)
			.withBean(ShardSource.class, () -> () -> Map.copyOf(tenants))
			.withInitializer(Applications.awaitingShards("eu"))
			.run((context) -> {
				Shards shards = context.getBean(Shards.class);
				tenants.put("eu", new DelegatingDataSource(this.eu.dataSource()));
				shards.refresh();
				Awaitility.await().until(() -> output.getOut().contains("another DataSource for the shard 'eu'"));
				tenants.clear();
				shards.refresh();
				Awaitility.await().until(() -> output.getOut().contains("does not use the shard 'eu' any more"));
				Awaitility.await().until(() -> shards.list().size() == 1);
				tenants.put("eu", new DelegatingDataSource(this.eu.dataSource()));
				shards.refresh();
				Awaitility.await().until(() -> shards.list().size() == 2);
				long id = shards.queue("eu").enqueue("note", 1).id();
				Awaitility.await().until(() -> context.getBean(Ran.class).shards().containsKey(id));
				assertThat(output.getOut()).containsOnlyOnce("another DataSource for the shard 'eu'");
			});
	}

	@Test
	void aShardSourceThatFailsTakesNoShardAway() {
		AtomicBoolean fails = new AtomicBoolean();
		AtomicInteger failed = new AtomicInteger();
		Applications.on(this.home).withUserConfiguration(Handlers.class).withBean(ShardSource.class, () -> () -> {
			if (fails.get()) {
				failed.incrementAndGet();
				throw new IllegalStateException("The directory of tenants does not answer, says the test");
			}
			return Map.of("eu", this.eu.dataSource());
		}).withInitializer(Applications.awaitingShards("eu")).run((context) -> {
			Shards shards = context.getBean(Shards.class);
			fails.set(true);
			shards.refresh();
			Awaitility.await().until(() -> failed.get() > 0);
			long id = shards.queue("eu").enqueue("note", 1).id();
			Awaitility.await().until(() -> context.getBean(Ran.class).shards().containsKey(id));
		});
	}

	@Test
	void theScopeOfTheShardIsOpenWhileAJobRuns() {
		List<String> entered = new ArrayList<>();
		this.application.withBean(ShardScope.class, () -> (shard) -> {
			entered.add(shard);
			return () -> entered.add("left");
		}).run((context) -> {
			long id = context.getBean(Shards.class).queue("us").enqueue("note", 1).id();
			assertThat(context.getBean(JobQueue.class).await(id, Duration.ofSeconds(60)))
				.hasValueSatisfying((job) -> assertThat(job.state()).isEqualTo(JobState.SUCCEEDED));
			Awaitility.await().untilAsserted(() -> assertThat(entered).containsExactly("us", "left"));
		});
	}

	@Test
	void eachScopeOfTheShardIsClosedAlsoIfAnotherOneCannotBeClosed() {
		List<String> left = new CopyOnWriteArrayList<>();
		this.application.withBean("first", ShardScope.class, () -> (shard) -> () -> left.add("first"))
			.withBean("second", ShardScope.class, () -> (shard) -> () -> {
				left.add("second");
				throw new IllegalStateException("The scope cannot be closed, says the test");
			})
			.run((context) -> {
				long id = context.getBean(Shards.class).queue("us").enqueue("note", 1).id();
				Awaitility.await().until(() -> context.getBean(Ran.class).shards().containsKey(id));
				Awaitility.await().until(() -> left.equals(List.of("second", "first")));
			});
	}

	@Test
	void aJobGoesWhereARoutingDataSourceLeads() {
		ThreadLocal<String> tenant = new ThreadLocal<>();
		AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {

			@Override
			protected Object determineCurrentLookupKey() {
				return tenant.get();
			}

		};
		routing.setTargetDataSources(Map.of("us", this.us.dataSource()));
		routing.setDefaultTargetDataSource(this.home.dataSource());
		routing.afterPropertiesSet();
		Applications.on(this.home)
			.withUserConfiguration(Handlers.class)
			.withBean(DataSource.class, () -> routing)
			.withBean(ShardSource.class, () -> () -> Map.of("us", this.us.dataSource()))
			.withInitializer(Applications.awaitingShards("us"))
			.run((context) -> {
				TransactionTemplate transaction = new TransactionTemplate(
						TransactionEndListener.addTo(new DataSourceTransactionManager(routing)));
				tenant.set("us");
				long id = transaction.execute((status) -> context.getBean(JobQueue.class).enqueue("note", 1).id());
				tenant.remove();
				assertThat(context.getBean(Shards.class).of(id)).map(Shard::name).contains("us");
				Awaitility.await().until(() -> context.getBean(Ran.class).shards().containsKey(id));
				assertThat(context.getBean(Ran.class).shards()).containsEntry(id, "us");
			});
	}

	@Test
	void bucketsAreMovedWhileTheApplicationRuns() {
		this.application.run((context) -> {
			Shards shards = context.getBean(Shards.class);
			assertThat(shards.balance()).isGreaterThan(2700);
			assertThat(shards.list()).allMatch((shard) -> shard.buckets() >= 1365);
			JobQueue queue = context.getBean(JobQueue.class);
			List<Long> ids = IntStream.range(0, 30)
				.mapToObj((i) -> queue.enqueue(JobRequest.of("note", i).uniqueKey("key" + i)).id())
				.toList();
			Awaitility.await().until(() -> context.getBean(Ran.class).shards().keySet().containsAll(ids));
			assertThat(context.getBean(Ran.class).shards().values()).contains("home", "eu", "us");
		});
	}

	@Test
	void anEnqueueThatWaitsHasAMoveCompletedThatNobodyElseCompletes() {
		this.application.run((context) -> {
			Shards shards = context.getBean(Shards.class);
			int us = shards.list()
				.stream()
				.filter((shard) -> shard.name().equals("us"))
				.mapToInt(Shard::number)
				.findFirst()
				.orElseThrow();
			assertThat(this.home.count("select cardinality(rowqueue.release_buckets("
					+ "array[rowqueue.bucket_of(null, 'key')]::smallint[], %d::smallint))".formatted(us)))
				.isOne();
			long id = context.getBean(JobQueue.class).enqueue(JobRequest.of("note", 1).uniqueKey("key")).id();
			assertThat(shards.of(id)).map(Shard::name).contains("us");
		});
	}

	@Test
	void oneDatabaseHasNoneOfIt() {
		Applications.on(this.home)
			.withUserConfiguration(Handlers.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(Shards.class)
				.doesNotHaveBean(SharedSlots.class)
				.hasSingleBean(JobQueue.class));
		assertThat(this.home.count("select count(*) from rowqueue.shard_identity")).isZero();
		assertThat(this.home.count("select increment_by from pg_sequences where sequencename = 'job_id_seq'")).isOne();
	}

	@Test
	void aDatabaseThatWasRestoredFromACopyOfAnotherShardIsNotUsed() {
		this.application.withPropertyValues("rowqueue.worker.enabled=false").run((context) -> enqueue(context, 1));
		this.us.execute("update rowqueue.shard_identity set name = 'eu'");
		this.withoutUs.withPropertyValues(this.us.address().properties("rowqueue.shards.us"))
			.withPropertyValues("rowqueue.worker.enabled=false")
			.run((context) -> assertThat(context.getBean(Shards.class).list()).extracting(Shard::name)
				.containsExactlyInAnyOrder("home", "eu"));
	}

	private static List<Long> enqueue(ApplicationContext context, int jobs) {
		JobQueue queue = context.getBean(JobQueue.class);
		return Stream.generate(() -> queue.enqueue("note", 1).id()).limit(jobs).toList();
	}

	/** Which shards jobs ran in. */
	record Ran(ConcurrentMap<Long, String> shards) {

	}

	@Configuration(proxyBeanMethods = false)
	static class Handlers {

		@Bean
		Ran ran() {
			return new Ran(new ConcurrentHashMap<>());
		}

		@Bean
		JobHandlers.Registrar noting(Ran ran) {
			return (handlers) -> handlers.add("note", Integer.class,
					(number, job) -> ran.shards().put(job.id(), MDC.get(ShardAttemptScope.SHARD)));
		}

	}

}
