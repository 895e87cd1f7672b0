package io.rowqueue.dashboard;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.Flow;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.schedule.Rhythm;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.window.Window;
import io.rowqueue.window.Windows;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/**
 * One application of each kind for all tests that need no settings of their own. What the
 * API answers is tested in a servlet application, what an adapter does in both. A request
 * with the header {@code Test-Level} has that level.
 */
final class Hosts {

	static final String LEVEL = "Test-Level";

	static final String FLOW = "order";

	static final String STEP = "charge";

	static final String BATCH = "import";

	static final String PAYLOAD = "4111-secret";

	/** Opens the applications that have no other rule. */
	static final String TOKEN = "0123456789abcdef0123";

	private static final Map<Host.Kind, Host> RUNNING = new EnumMap<>(Host.Kind.class);

	private static final Map<Host.Kind, Host> BELOW_CONTEXT_PATH = new EnumMap<>(Host.Kind.class);

	private Hosts() {
	}

	static synchronized Host of(Host.Kind kind) {
		return RUNNING.computeIfAbsent(kind, (each) -> {
			Host host = Host.start(each, new Class<?>[] { LevelsByHeader.class, AuditedEvents.class },
					"spring.jackson.property-naming-strategy=SNAKE_CASE",
					"spring.jackson.default-property-inclusion=non-null");
			fill(host);
			return host;
		});
	}

	/** Without any setting but its context path and the token. */
	static synchronized Host belowContextPath(Host.Kind kind) {
		return BELOW_CONTEXT_PATH.computeIfAbsent(kind,
				(each) -> Host.start(each, new Class<?>[0], "server.servlet.context-path=/shop",
						"spring.webflux.base-path=/shop", "rowqueue.dashboard.token=" + TOKEN));
	}

	/** What there is of everything. */
	static void fill(Host host) {
		JobQueue queue = host.bean(JobQueue.class);
		queue.enqueue(JobRequest.of("welcome-mail", Map.of("card", PAYLOAD)).queue("mail"));
		queue.enqueue(Flow.named(FLOW).job(STEP, JobRequest.of("charge-card", PAYLOAD)));
		queue.enqueueBatch(Batch.named(BATCH), Stream.of(JobRequest.of("row", PAYLOAD)));
		host.bean(JobAdmin.class).pauseType("row", "the files are broken");
		host.bean(JobLimits.class).set(LimitKind.QUEUE, "mail", Limit.of("5, 100/1m"));
		host.bean(Schedules.class)
			.put(Schedule.of("nightly", Rhythm.cron("0 0 3 * * *", "Europe/Berlin"), JobRequest.of("report", PAYLOAD)));
		host.bean(Windows.class).put(Window.of("night", "UTC", "00:00-06:00").queues("reports"));
		host.jdbc().sql("""
				insert into rowqueue.worker (id, name, queues, types, slots, lease)
				values (34, 'web-1:17', array['*'], array['welcome-mail'], '{"*": 4}', '1 hour')""").update();
		measure(host);
	}

	/**
	 * Writes figures as a measurement does. The host, which nobody has looked at yet,
	 * measures nothing itself as long as they are young.
	 */
	static void measure(Host host) {
		host.jdbc()
			.sql("""
					insert into rowqueue.measurement (measured_at, figures) values (clock_timestamp(), '[
						{"name": "jobs", "queue": "mail", "state": "queued", "value": 12},
						{"name": "jobs", "queue": "mail", "state": "failed", "value": 23456.7, "text": "estimate"},
						{"name": "jobs", "queue": "mail", "state": "overdue", "value": 3},
						{"name": "oldest.age", "queue": "mail", "value": 7300, "text": "42"},
						{"name": "workers", "value": 1}]'::jsonb)
					on conflict (only_row) do update set measured_at = excluded.measured_at, figures = excluded.figures""")
			.update();
	}

	/** Remembers what was audited. */
	static class AuditedEvents {

		private final Queue<AuditEvent> events = new ConcurrentLinkedQueue<>();

		@EventListener
		void remember(AuditApplicationEvent event) {
			this.events.add(event.getAuditEvent());
		}

		Queue<AuditEvent> events() {
			return this.events;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LevelsByHeader {

		@Bean
		DashboardAccess levelsByHeader() {
			return (caller) -> {
				String level = caller.header(LEVEL);
				if (level == null) {
					return DashboardRights.NONE;
				}
				return switch (level) {
					case "payloads" -> DashboardRights.of(Level.READ).withPayloads();
					case "everything" -> DashboardRights.of(Level.ADMIN).withPayloads();
					default -> DashboardRights.of(Level.valueOf(level.toUpperCase(Locale.ROOT)));
				};
			};
		}

	}

}
