package io.rowqueue.lab.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.rowqueue.lab.verify.fault.FaultUnderLoad;
import io.rowqueue.lab.verify.fault.Leases;
import io.rowqueue.lab.verify.fault.Scene;
import io.rowqueue.lab.verify.ledger.LedgerFile;
import io.rowqueue.lab.verify.load.Producer;
import io.rowqueue.lab.verify.site.Site;
import io.rowqueue.lab.verify.site.Sites;
import io.rowqueue.lab.verify.verdict.Evidence;
import io.rowqueue.lab.verify.verdict.Judge;
import io.rowqueue.lab.verify.verdict.QueueRows;
import io.rowqueue.lab.verify.worker.ClassArchive;
import io.rowqueue.lab.verify.worker.Effects;
import io.rowqueue.lab.verify.worker.WorkerSpec;
import io.rowqueue.lab.verify.worker.Workers;

/** One fault under load, from empty tables to the verdict. */
final class Round {

	private static final Duration WARM_UP = Duration.ofMillis(1500);

	private static final Duration CALM = Duration.ofSeconds(1);

	/**
	 * How long it may take until less waits than ever before since the load has ended.
	 */
	private static final Duration PATIENCE = Duration.ofMinutes(3);

	private final Options options;

	private final FaultUnderLoad fault;

	private final Leases leases;

	private final Path directory;

	private final SplittableRandom random;

	private final List<String> helped = new ArrayList<>();

	Round(Options options, FaultUnderLoad fault) {
		this.options = options;
		this.fault = fault;
		this.leases = Leases.of(options.lease());
		this.directory = options.directory(fault);
		this.random = new SplittableRandom(options.seed() + fault.name().hashCode());
	}

	RoundResult run(Sites sites) throws Exception {
		long begin = System.nanoTime();
		empty(this.directory);
		try (Site site = this.fault.site(sites)) {
			site.clear();
			Map<String, String> properties = new LinkedHashMap<>(site.properties());
			properties.put("rowqueue.worker.lease", this.leases.worker().toSeconds() + "s");
			String impatient = "rowqueue.types." + WorkerSpec.IMPATIENT;
			properties.put(impatient + ".lease", this.leases.type().toSeconds() + "s");
			properties.put(impatient + ".concurrency", "4");
			// the jobs of the load do not kill their processes, the faults do
			properties.put("rowqueue.worker.max-deaths", "1000");
			// so that a round ends soon
			properties.put("rowqueue.retry.initial-delay", "300ms");
			int rate = (int) Math.max(1, this.options.rate() * this.fault.traffic().factor());
			try (Producer producer = Producer.create(properties, this.directory, rate, this.fault.types(),
					this.fault.traffic());
					Workers workers = new Workers(this.directory, new ClassArchive(this.options.directory()))) {
				this.fault.workers(WorkerSpec.of(properties), this.options.workers()).forEach(workers::start);
				workers.awaitReady();
				Effects.create(site);
				Scene scene = play(site, producer, workers);
				this.helped.addAll(workers.endedByThemselves()
					.stream()
					.map((worker) -> worker + " ended by itself and would have to be started again")
					.toList());
				workers.stop().forEach((worker) -> this.helped.add(worker + " did not stop when it was asked to"));
				Evidence evidence = new Evidence(LedgerFile.read(this.directory), scene.events(), QueueRows.read(site),
						this.helped, this.leases.longest(), producer.load(), site.hasBroker());
				return new RoundResult(this.fault, Judge.judge(evidence), scene.events(), scene.results(), begin,
						Duration.ofNanos(System.nanoTime() - begin));
			}
		}
	}

	private Scene play(Site site, Producer producer, Workers workers) throws Exception {
		producer.start(this.random.split());
		TimeUnit.MILLISECONDS.sleep(WARM_UP.toMillis());
		Scene scene = new Scene(site, workers, producer, this.random, this.leases, this.options.duration());
		try {
			this.fault.strike(scene);
			TimeUnit.MILLISECONDS.sleep(CALM.toMillis());
		}
		finally {
			producer.stop();
		}
		awaitWorkedOff(site);
		return scene;
	}

	/**
	 * However long it takes to work off what has piled up, as long as it becomes less.
	 */
	private static void awaitWorkedOff(Site site) throws InterruptedException {
		long least = Long.MAX_VALUE;
		long since = System.nanoTime();
		while (least > 0 && System.nanoTime() - since < PATIENCE.toNanos()) {
			TimeUnit.MILLISECONDS.sleep(200);
			long waiting = waiting(site);
			if (waiting < least) {
				least = waiting;
				since = System.nanoTime();
			}
		}
	}

	private static long waiting(Site site) {
		try {
			return site.waiting();
		}
		catch (SQLException ex) {
			return Long.MAX_VALUE; // still down
		}
	}

	/** Creates the directory of a round, or deletes the files of an earlier one. */
	static void empty(Path directory) throws IOException {
		Files.createDirectories(directory);
		try (Stream<Path> files = Files.list(directory)) {
			for (Path file : files.filter(Files::isRegularFile).toList()) {
				Files.delete(file);
			}
		}
	}

}
