package io.rowqueue.autoconfigure.admin;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.WorkerView;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.operation.Operations;
import io.rowqueue.admin.operation.RecordedOperation;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.autoconfigure.admin.CommandResult.Outcome;
import io.rowqueue.control.Pause;
import io.rowqueue.flow.Batch;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitView;
import io.rowqueue.schedule.Rhythm;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.ScheduledRun;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.window.Window;
import io.rowqueue.window.Windows;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/** The commands of all faces: the dashboard has all of them, the endpoint a few. */
class AdminCommandsTests {

	private static final String MISSPELLED = "is it misspelled?";

	private static ConfigurableApplicationContext context;

	private final List<AuditEvent> audited = new ArrayList<>();

	private final AdminCommands commands = AdminCommands.of(context, "test", this::audit);

	@BeforeAll
	static void start() {
		SpringApplication application = new SpringApplication(Worker.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		context = application.run(Stream
			.concat(Stream.of("spring.liquibase.enabled=false"), Arrays.stream(new TestDatabase().properties()))
			.map((property) -> "--" + property)
			.toArray(String[]::new));
		Awaitility.await().until(() -> !workers().isEmpty());
	}

	@AfterAll
	static void close() {
		context.close();
	}

	@Test
	void aWaitingJobIsRescheduledPrioritizedAndErased() {
		long waiting = queue().enqueue(JobRequest.of("unknown")).id();
		assertThat(job(waiting, "reschedule", "delay", "1h").outcome()).isEqualTo(Outcome.DONE);
		assertThat(queue().find(waiting).orElseThrow().state()).isEqualTo(JobState.SCHEDULED);
		assertThat(job(waiting, "prioritize", "priority", 7).outcome()).isEqualTo(Outcome.DONE);
		assertThat(queue().find(waiting).orElseThrow().priority()).isEqualTo(7);
		assertThat(job(waiting, "erase").outcome()).isEqualTo(Outcome.DONE);
		assertThat(job(waiting, "reschedule", "delay", "0s").outcome()).isEqualTo(Outcome.CONFLICT);
	}

	@Test
	void aFailedJobIsRetriedFromAStep() {
		long id = queue().enqueue(JobRequest.of("unknown")).id();
		JdbcClient db = bean(JdbcClient.class);
		db.sql("update rowqueue.job set state = 'failed', leased_at = now() where id = ?").param(id).update();
		db.sql("insert into rowqueue.job_step (job_id, name, lease, finished_at) values (?, 'load', 0, now())")
			.param(id)
			.update();
		assertThat(job(id, "retry", "step", "store").outcome()).isEqualTo(Outcome.NOT_FOUND);
		assertThat(job(id, "retry", "step", "load").outcome()).isEqualTo(Outcome.DONE);
		assertThat(bean(JobAdmin.class).steps(id)).isEmpty();
		assertThat(bean(Operations.class).list(Operations.Filter.of("jobs", String.valueOf(id)), Long.MAX_VALUE, 10))
			.hasSize(2);
	}

	@Test
	void allJobsOfAFilterAreCancelled() {
		queue().enqueue(JobRequest.of("unknown").queue("many"));
		queue().enqueue(JobRequest.of("unknown").queue("many"));
		long other = queue().enqueue(JobRequest.of("unknown").queue("other")).id();
		CommandResult started = startAll("cancel", "queue=many");
		assertThat(started.outcome()).as(started.message()).isEqualTo(Outcome.DONE);
		long operation = started.operation();
		Awaitility.await()
			.untilAsserted(() -> assertThat(operation(operation).state()).isEqualTo(RecordedOperation.State.DONE));
		assertThat(operation(operation).bulk().done()).isEqualTo(2);
		assertThat(queue().find(other).orElseThrow().state()).isEqualTo(JobState.QUEUED);
		assertThat(this.audited).extracting(AuditEvent::getType).containsExactly("ROWQUEUE_CANCEL");
		assertThat(command("operations", String.valueOf(operation), "stop").outcome()).as("it has ended")
			.isEqualTo(Outcome.CONFLICT);
		assertThat(startAll("pause", "queue=many").outcome()).isEqualTo(Outcome.INVALID);
		assertThat(startAll("retry", "queue=many").outcome()).as("only failed ones").isEqualTo(Outcome.INVALID);
		assertThat(startAll("cancel", "&").message()).contains("the filter is empty");
	}

	@Test
	void textsOfAuditEventsAreOneLine() {
		command("queues", "a\nb", "explode", "reason", "done\u001b[2K\nroot \u202egnp");
		assertThat(this.audited).singleElement()
			.satisfies((event) -> assertThat(event.getData()).containsEntry("name", "a b")
				.containsEntry("reason", "done [2K root  gnp"));
	}

	@Test
	void limitsAreSetAndRemoved() {
		assertThat(command("queues", "slow", "limit", "limit", "5, 100/1m").outcome()).isEqualTo(Outcome.DONE);
		assertThat(bean(JobLimits.class).list()).filteredOn((limit) -> limit.name().equals("slow"))
			.singleElement()
			.extracting(LimitView::limit, LimitView::setManually)
			.containsExactly(Limit.of("5, 100/1m"), true);
		assertThat(command("keys", "customer", "limit", "limit", "2").outcome()).isEqualTo(Outcome.DONE);
		assertThat(command("keys", "customer", "limit", "limit", "two").outcome()).isEqualTo(Outcome.INVALID);
		assertThat(command("keys", "customer", "pause").outcome()).isEqualTo(Outcome.INVALID);
		assertThat(command("queues", "slow", "unlimit").outcome()).isEqualTo(Outcome.DONE);
		assertThat(bean(JobLimits.class).list()).extracting(LimitView::name).containsExactly("customer");
		assertThat(command("keys", "customer:42", "weight", "weight", "7").message()).contains("has the weight 7");
		assertThat(command("keys", "customer:42", "weight").message()).contains("a weight from 1 to 100");
	}

	@Test
	void typesAndKeysAreHeldAndReleased() {
		assertThat(this.commands
			.operate(AdminCommand.of("types", "held", "hold").with("delay", "1h").with("reason", "429"), Caller.UNKNOWN)
			.message()).contains("held", MISSPELLED);
		assertThat(bean(JobAdmin.class).pauses()).singleElement().satisfies((pause) -> {
			assertThat(pause.name()).isEqualTo("held");
			assertThat(pause.reason()).isEqualTo("429");
			assertThat(pause.opensAt()).isNotNull();
		});
		assertThat(command("types", "works", "hold", "delay", "1s").message()).doesNotContain(MISSPELLED);
		assertThat(command("types", "works", "release").outcome()).isEqualTo(Outcome.DONE);
		assertThat(command("keys", "customer:42", "hold", "delay", "30s").message()).doesNotContain(MISSPELLED);
		assertThat(command("types", "held", "hold").outcome()).isEqualTo(Outcome.INVALID);
		assertThat(command("types", "held", "release", "delay", "1s").outcome()).isEqualTo(Outcome.INVALID);
		assertThat(command("types", "held", "release").message()).contains("no longer held");
		assertThat(bean(JobAdmin.class).pauses()).extracting(Pause::name).doesNotContain("held");
	}

	@Test
	void aQueueThatIsResumedNamesItsPausedClass() {
		assertThat(command("queues", "closing:*", "pause").message()).contains(MISSPELLED);
		assertThat(command("queues", "closing:ledger", "pause").outcome()).isEqualTo(Outcome.DONE);
		CommandResult resumed = command("queues", "closing:ledger", "resume");
		assertThat(resumed.outcome()).isEqualTo(Outcome.DONE);
		assertThat(resumed.message()).contains("resumed; its class 'closing:*' is still paused");
		assertThat(command("queues", "closing:ledger", "resume").message())
			.contains("was not paused; its class 'closing:*' is still paused");
		assertThat(command("queues", "closing:*", "resume").message()).endsWith("resumed");
	}

	@Test
	void aLimitOfAnUnknownQueueAsksWhetherItIsMisspelled() {
		assertThat(command("queues", "defalt", "limit", "limit", "5").message()).contains(MISSPELLED);
		assertThat(command("queues", "defalt", "unlimit").outcome()).isEqualTo(Outcome.DONE);
		assertThat(command("queues", "default", "limit", "limit", "50").message()).doesNotContain(MISSPELLED);
		assertThat(command("queues", "default", "unlimit").outcome()).isEqualTo(Outcome.DONE);
	}

	@Test
	void aWorkerIsMadeQuietAndResumedAndItsSlotsAreChangedAlsoForTheNextOne() {
		String id = String.valueOf(workers().get(0).id());
		assertThat(command("workers", id, "quiet").message()).contains("claims no more jobs");
		assertThat(workers().get(0).quiet()).isTrue();
		assertThat(command("workers", id, "resume").message()).contains("claims jobs again");
		assertThat(command("workers", id, "pause").outcome()).isEqualTo(Outcome.INVALID);
		assertThat(command("workers", id, "slots", "slots", "7").message()).contains("at most 7");
		assertThat(workers().get(0).queueSlots()).containsEntry("*", 7);
		assertThat(command("workers", id, "slots", "slots", "mail=7").outcome()).isEqualTo(Outcome.NOT_FOUND);
		for (String invalid : List.of("0", "-1", "many", "10001", "*=", "")) {
			assertThat(command("workers", id, "slots", "slots", invalid).outcome()).as(invalid)
				.isEqualTo(Outcome.INVALID);
		}
		assertThat(command("workers", id, "quiet", "slots", "7").outcome()).isEqualTo(Outcome.INVALID);
		assertThat(command("workers", id, "restart").message()).contains("registers a new worker");
		Awaitility.await().until(() -> workers().size() == 1 && !String.valueOf(workers().get(0).id()).equals(id));
		assertThat(workers().get(0).slots()).as("they are kept").isEqualTo(7);
	}

	@ParameterizedTest
	@CsvSource({ "quiet,", "resume,", "slots, 7", "restart," })
	void aCommandToAWorkerThatDoesNotLiveIsNotFound(String action, String slots) {
		CommandResult result = this.commands.operate(AdminCommand.of("workers", "4711", action).with("slots", slots),
				Caller.UNKNOWN);
		assertThat(result.outcome()).isEqualTo(Outcome.NOT_FOUND);
		assertThat(result.message()).contains("there is no live worker with this id");
	}

	@Test
	void aScheduleIsFilledAndRemoved() {
		Schedules schedules = bean(Schedules.class);
		schedules.put(Schedule.of("report", Rhythm.cron("0 2 * * *", "UTC"), JobRequest.of("unknown")));
		AdminCommand fill = AdminCommand.of("schedules", "report", "backfill")
			.with("from", "2026-01-01T00:00:00Z")
			.with("until", "2026-01-08T00:00:00Z");
		assertThat(this.commands.operate(fill, Caller.UNKNOWN).message()).contains("7 jobs enqueued for 7 due times");
		assertThat(this.commands.operate(fill, Caller.UNKNOWN).message()).contains("0 jobs enqueued for 7 due times");
		assertThat(schedules.runs("report", 10)).hasSize(7)
			.extracting(ScheduledRun::origin)
			.containsOnly(ScheduledRun.Origin.BACKFILL);
		assertThat(command("schedules", "report", "backfill", "from", "yesterday").outcome())
			.isEqualTo(Outcome.INVALID);
		assertThat(command("schedules", "report", "pause", "from", "2026-01-01T00:00:00Z").outcome())
			.isEqualTo(Outcome.INVALID);
		assertThat(command("schedules", "report", "remove").outcome()).isEqualTo(Outcome.DONE);
		assertThat(this.commands.operate(fill, Caller.UNKNOWN).outcome()).isEqualTo(Outcome.NOT_FOUND);
	}

	@Test
	void windowsAreRemovedAndBatchesClosed() {
		bean(Windows.class).put(Window.of("night", "UTC", "MON 23:00-06:00").queues("reports"));
		assertThat(command("windows", "night", "pause").outcome()).isEqualTo(Outcome.INVALID);
		assertThat(command("windows", "night", "remove").outcome()).isEqualTo(Outcome.DONE);
		assertThat(command("windows", "night", "remove").outcome()).isEqualTo(Outcome.NOT_FOUND);
		String batch = String
			.valueOf(queue().enqueueBatch(Batch.named("import").keepOpen(), Stream.of(JobRequest.of("unknown"))));
		assertThat(command("batches", batch, "close").outcome()).isEqualTo(Outcome.DONE);
		assertThat(command("batches", batch, "close").outcome()).isEqualTo(Outcome.UNCHANGED);
		assertThat(command("batches", "4711", "close").outcome()).isEqualTo(Outcome.NOT_FOUND);
	}

	@ParameterizedTest
	@CsvSource({ "jobs, 1, reschedule, delay,", "jobs, 1, reschedule, delay, -1s", "jobs, 1, reschedule, delay, soon",
			"jobs, 1, prioritize, priority, 40000", "jobs, 1, cancel, priority, 4", "jobs, 1, cancel, step, load",
			"queues, mail, retry, step, load", "jobs, x, cancel, delay,", "nonsense, mail, pause, reason," })
	void whatMakesNoSenseIsRefusedAndAudited(String kind, String name, String action, String parameter, String value) {
		CommandResult result = this.commands.operate(AdminCommand.of(kind, name, action).with(parameter, value),
				Caller.UNKNOWN);
		assertThat(result.outcome()).isEqualTo(Outcome.INVALID);
		assertThat(this.audited).singleElement()
			.satisfies((event) -> assertThat(event.getData()).containsEntry("outcome", "invalid"));
	}

	private CommandResult job(long id, String action) {
		return command("jobs", String.valueOf(id), action);
	}

	private CommandResult job(long id, String action, String parameter, Object value) {
		return command("jobs", String.valueOf(id), action, parameter, value);
	}

	private CommandResult command(String kind, String name, String action) {
		return this.commands.operate(AdminCommand.of(kind, name, action), Caller.UNKNOWN);
	}

	private CommandResult command(String kind, String name, String action, String parameter, Object value) {
		return this.commands.operate(AdminCommand.of(kind, name, action).with(parameter, value), Caller.UNKNOWN);
	}

	private CommandResult startAll(String action, String filter) {
		return this.commands.startAll(AdminCommand.of("jobs", "", action), JobFilter.ofQuery(filter), null,
				Caller.UNKNOWN);
	}

	private void audit(Object event) {
		if (event instanceof AuditApplicationEvent each) {
			this.audited.add(each.getAuditEvent());
		}
	}

	private static RecordedOperation operation(long id) {
		return bean(Operations.class).find(id).orElseThrow();
	}

	private static List<WorkerView> workers() {
		return bean(QueueOverview.class).workers().stream().filter((worker) -> worker.deadAt() == null).toList();
	}

	private static JobQueue queue() {
		return bean(JobQueue.class);
	}

	private static <T> T bean(Class<T> type) {
		return context.getBean(type);
	}

	/**
	 * All but JPA, which the commands have nothing to do with and which starts slowly.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(
			exclude = { HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class })
	static class Worker {

		@Bean
		JobHandlers.Registrar handlers() {
			return (handlers) -> handlers.add("works", String.class, (payload, job) -> {
			});
		}

	}

}
