package io.rowqueue.lab.verify;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.rowqueue.lab.Arguments;
import io.rowqueue.lab.Durations;
import io.rowqueue.lab.Machine;
import io.rowqueue.lab.verify.fault.Fault;
import io.rowqueue.lab.verify.fault.Faults;
import io.rowqueue.postgres.Database;
import org.jspecify.annotations.Nullable;

/**
 * What verify was asked for.
 *
 * @param faults what to do to the queue
 * @param duration how long each fault lasts
 * @param together how many faults happen at a time, each to a queue and a server of its
 * own
 * @param workers how many worker processes
 * @param rate jobs a second
 * @param lease the lease of the workers
 * @param seed of everything that is left to chance
 * @param database the user's database, or {@code null}
 * @param directory where ledgers, logs and the report go
 */
record Options(List<Fault> faults, Duration duration, int together, int workers, int rate, Duration lease, long seed,
		@Nullable Database database, Path directory) {

	private static final String USAGE = """
			verify [--quick] [--faults a,b] [--without a,b] [--duration 10m] [--together 1] [--workers 3] [--rate 200] [--lease 30s]
			       [--seed N] [--url jdbc:postgresql://… [--user u] [--password p]] [--directory d]

			  --quick      each fault for a few seconds, three at a time, with a lease of 5 s: some minutes altogether
			  --faults     only these: %s
			  --without    not these
			  --duration   of the whole run, shared by the faults; default 20m
			  --together   how many faults at a time, each with its own queue and server; default 1
			  --url        your own database, for one fault at a time; the queue gets a schema 'rowqueue_verify'
			               there. Without it, servers are started from the binaries that Maven brings
			  --seed       replays the choices of an earlier run
			  --directory  where ledgers, logs and report.md go; default target/verify
			""";

	private static final Duration QUICK = Duration.ofSeconds(5);

	/** How verify is called. */
	static String usage() {
		return USAGE.formatted(Faults.all().stream().map(Fault::name).toList());
	}

	static Options parse(String... arguments) {
		Arguments words = new Arguments(arguments);
		boolean quick = words.flag("--quick");
		List<Fault> without = words.list("--without").map(Options::faults).orElse(List.of());
		List<Fault> faults = words.list("--faults")
			.map(Options::faults)
			.orElse(Faults.all())
			.stream()
			.filter((fault) -> !without.contains(fault))
			.toList();
		Duration each = words.value("--duration")
			.map(Durations::parse)
			.map((all) -> all.dividedBy(faults.size()))
			.orElse(quick ? QUICK : Duration.ofMinutes(20).dividedBy(faults.size()));
		Optional<String> url = words.value("--url");
		int together = Integer.parseInt(words.value("--together").orElse((quick && url.isEmpty()) ? "3" : "1"));
		if (together < 1 || (together > 1 && url.isPresent())) {
			throw new IllegalArgumentException("--together is 1 or more, and 1 with --url");
		}
		int workers = Integer.parseInt(words.value("--workers").orElse(quick ? "2" : "3"));
		int rate = Integer.parseInt(words.value("--rate").orElse(quick ? "120" : "200"));
		Duration lease = Durations.parse(words.value("--lease").orElse(quick ? "5s" : "30s"));
		long seed = Long.parseLong(words.value("--seed").orElseGet(() -> "" + new SecureRandom().nextInt(1_000_000)));
		String user = words.value("--user").orElse("");
		String password = words.value("--password").orElse("");
		Path directory = words.value("--directory")
			.map(Path::of)
			.orElse(Machine.output("verify"))
			.toAbsolutePath()
			.normalize();
		words.end();
		return new Options(faults, each, together, workers, rate, lease, seed,
				url.map((given) -> new Database(given, user, password)).orElse(null), directory);
	}

	private static List<Fault> faults(List<String> names) {
		return names.stream().distinct().map(Faults::named).toList();
	}

	/** Where the ledgers and logs of the round of a fault go. */
	Path directory(Fault fault) {
		return this.directory.resolve(fault.name());
	}

	/** How to do the same again. */
	String replay(Fault fault) {
		return "tools/lab/verify --seed " + this.seed + " --faults " + fault.name() + " --duration "
				+ this.duration.toSeconds() + "s --workers " + this.workers + " --rate " + this.rate + " --lease "
				+ this.lease.toSeconds() + "s" + ((this.database != null) ? " --url …" : "");
	}

}
