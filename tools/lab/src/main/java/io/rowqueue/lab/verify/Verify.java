package io.rowqueue.lab.verify;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.rowqueue.lab.Arguments;
import io.rowqueue.lab.Machine;
import io.rowqueue.lab.verify.fault.Fault;
import io.rowqueue.lab.verify.load.Producer;
import io.rowqueue.lab.verify.site.Sites;
import io.rowqueue.lab.verify.worker.ClassArchive;

/** Does all faults and reports. */
public final class Verify {

	private Verify() {
	}

	/**
	 * Runs.
	 * @param arguments see {@link Options#usage()}
	 * @return 0: nothing was found; 1: there are findings; 2: it was called in a wrong
	 * way
	 * @throws Exception if the lab itself fails
	 */
	public static int run(String... arguments) throws Exception {
		if (Arguments.askForHelp(arguments)) {
			System.out.print(Options.usage());
			return 0;
		}
		Options options;
		try {
			options = Options.parse(arguments);
		}
		catch (IllegalArgumentException ex) {
			System.err.println(ex.getMessage());
			System.err.print(Options.usage());
			return 2;
		}
		Files.createDirectories(options.directory());
		Files.deleteIfExists(Producer.log(options.directory()));
		new ClassArchive(options.directory()).delete();
		Path home = Machine.scratch("verify");
		try (Sites sites = new Sites(home.resolve("beside-1"), options.database())) {
			Report report = new Report(options, sites.description());
			System.out.println(sites.description() + ", seed " + options.seed());
			playAll(options, home, sites, report);
			Path file = options.directory().resolve("report.md");
			Files.writeString(file, report.markdown());
			System.out.println(report.conclusion() + " Report: " + file);
			return report.isGood() ? 0 : 1;
		}
	}

	/** Runs as many faults at a time as the options specify. */
	private static void playAll(Options options, Path home, Sites first, Report report) throws Exception {
		Queue<Fault> waiting = new ConcurrentLinkedQueue<>(options.faults());
		List<Rounds> threads = new ArrayList<>(List.of(new Rounds(options, first, waiting, report)));
		for (int i = 2; i <= Math.min(options.together(), options.faults().size()); i++) {
			Sites sites = new Sites(home.resolve("beside-" + i), null);
			threads.add(new Rounds(options, sites, waiting, report));
		}
		threads.forEach(Rounds::start);
		for (Rounds rounds : threads) {
			rounds.join();
		}
	}

}
