package io.rowqueue.engine.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.rowqueue.JobRequest;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestProcess;

/**
 * Measures how long the jobs of a quiet tenant wait: alone, beside the backlog of another
 * tenant, and beside that with fairness keys. The arguments are the number of jobs of the
 * backlog and the milliseconds that each job takes.
 */
final class FairnessFigures {

	private static final int SAMPLES = 300;

	private FairnessFigures() {
	}

	public static void main(String[] arguments) throws Exception {
		int backlog = Integer.parseInt(arguments[0]);
		int millis = Integer.parseInt(arguments[1]);
		measure(0, millis, true); // lets the JVM compile what is measured
		print("quiet tenant alone", measure(0, millis, true));
		print("beside a backlog, with fairness keys", measure(backlog, millis, true));
		print("beside a backlog, without", measure(backlog, millis, false));
	}

	private static List<Long> measure(int backlog, int millis, boolean fair) throws Exception {
		List<Long> waits = Collections.synchronizedList(new ArrayList<>());
		try (Engine engine = new Engine()) {
			TestProcess process = engine.process()
				.concurrency(10)
				.withMaintenance()
				.handle("work", (payload, context) -> {
					if ("quiet".equals(payload)) {
						waits.add(context.id());
					}
					TimeUnit.MILLISECONDS.sleep(millis);
				})
				.startAndListen();
			engine.queue()
				.enqueueAll(java.util.stream.Stream.generate(() -> request("noisy", fair)).limit(backlog), (result) -> {
				});
			TimeUnit.SECONDS.sleep((backlog > 0) ? 5 : 0);
			long begin = System.nanoTime();
			for (int i = 0; i < SAMPLES && System.nanoTime() - begin < Duration.ofSeconds(60).toNanos(); i++) {
				process.queue().enqueue(request("quiet", fair));
				TimeUnit.MILLISECONDS.sleep(50);
			}
			TimeUnit.SECONDS.sleep(3);
			List<Long> micros = engine.jdbc()
				.queryForList(
						"select (extract(epoch from coalesce(f.leased_at, clock_timestamp()) - f.created_at) * 1000000)::bigint"
								+ " from (select leased_at, created_at, payload from rowqueue.job_finished union all"
								+ " select leased_at, created_at, payload from rowqueue.job) f"
								+ " where payload::text = '\"quiet\"'",
						Long.class);
			process.stop();
			return micros;
		}
	}

	private static JobRequest request(String tenant, boolean fair) {
		JobRequest request = JobRequest.of("work", tenant);
		return fair ? request.fairnessKey(tenant) : request;
	}

	private static void print(String what, List<Long> micros) {
		List<Long> sorted = micros.stream().sorted().toList();
		System.out.printf("%s: p50 %.1f ms, p99 %.1f ms, longest %.1f ms, %d jobs%n", what,
				sorted.get(sorted.size() / 2) / 1000.0, sorted.get(sorted.size() * 99 / 100) / 1000.0,
				sorted.get(sorted.size() - 1) / 1000.0, sorted.size());
	}

}
