package io.pgqueue.lab.verify;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

import io.pgqueue.lab.Durations;
import io.pgqueue.lab.verify.fault.Fault;
import io.pgqueue.lab.verify.fault.Faults;
import io.pgqueue.postgres.Database;
import org.jspecify.annotations.Nullable;

/**
 * What verify was asked for.
 *
 * @param faults what to do to the queue
 * @param duration how long each fault lasts
 * @param workers how many worker processes
 * @param rate jobs a second
 * @param lease the lease of the workers
 * @param seed of everything that is left to chance
 * @param database the user's database, or {@code null}
 * @param directory where ledgers, logs and the report go
 */
record Options(List<Fault> faults, Duration duration, int workers, int rate, Duration lease, long seed,
		@Nullable Database database, Path directory) {

	static final String USAGE = """
			verify [--quick] [--faults a,b] [--duration 10m] [--workers 3] [--rate 200] [--lease 30s] [--seed N]
			       [--url jdbc:postgresql://… [--user u] [--password p]] [--directory d]

			  --quick      each fault for a few seconds, with a lease of 5 s: some minutes altogether
			  --faults     only these: %s
			  --duration   of the whole run, shared by the faults; 20m unless said
			  --url        your own database; the queue gets a schema 'queue_verify' there. Without it, servers
			               are started from the binaries that Maven brings
			  --seed       replays the choices of an earlier run
			  --directory  where ledgers, logs and report.md go; target/verify unless said
			""";

	private static final Duration QUICK = Duration.ofSeconds(7);

	static Options parse(String... arguments) {
		Deque<String> words = new ArrayDeque<>(List.of(arguments));
		boolean quick = words.remove("--quick");
		List<Fault> faults = take(words, "--faults").map((names) -> List.of(names.split(",", -1)))
			.map((names) -> names.stream().map(Faults::named).toList())
			.orElse(Faults.all());
		Duration each = take(words, "--duration").map(Durations::parse)
			.map((all) -> all.dividedBy(faults.size()))
			.orElse(quick ? QUICK : Duration.ofMinutes(20).dividedBy(faults.size()));
		int workers = Integer.parseInt(take(words, "--workers").orElse(quick ? "2" : "3"));
		int rate = Integer.parseInt(take(words, "--rate").orElse(quick ? "120" : "200"));
		Duration lease = Durations.parse(take(words, "--lease").orElse(quick ? "5s" : "30s"));
		long seed = Long.parseLong(take(words, "--seed").orElseGet(() -> "" + new SecureRandom().nextInt(1_000_000)));
		Optional<String> url = take(words, "--url");
		String user = take(words, "--user").orElse("");
		String password = take(words, "--password").orElse("");
		Path directory = Path.of(take(words, "--directory").orElse("target/verify")).toAbsolutePath().normalize();
		if (!words.isEmpty()) {
			throw new IllegalArgumentException("What is '" + words.peek() + "'?");
		}
		return new Options(faults, each, workers, rate, lease, seed,
				url.map((given) -> new Database(given, user, password)).orElse(null), directory);
	}

	private static Optional<String> take(Deque<String> words, String name) {
		List<String> list = List.copyOf(words);
		int at = list.indexOf(name);
		if (at < 0) {
			return Optional.empty();
		}
		if (at + 1 == list.size()) {
			throw new IllegalArgumentException(name + " needs a value");
		}
		words.removeFirstOccurrence(name);
		words.removeFirstOccurrence(list.get(at + 1));
		return Optional.of(list.get(at + 1));
	}

	/** How to do the same again. */
	String replay(Fault fault) {
		return "queue-lab/verify --seed " + this.seed + " --faults " + fault.name() + " --duration "
				+ this.duration.toSeconds() + "s --workers " + this.workers + " --rate " + this.rate + " --lease "
				+ this.lease.toSeconds() + "s" + ((this.database != null) ? " --url …" : "");
	}

}
