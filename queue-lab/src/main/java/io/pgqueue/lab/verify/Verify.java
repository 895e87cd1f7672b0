package io.pgqueue.lab.verify;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import io.pgqueue.lab.Machine;
import io.pgqueue.lab.verify.fault.Fault;
import io.pgqueue.lab.verify.fault.Faults;
import io.pgqueue.lab.verify.site.Sites;

/** Does one fault after the other and reports. */
public final class Verify {

	private Verify() {
	}

	/**
	 * Runs.
	 * @param arguments see {@link Options#USAGE}
	 * @return 0: nothing was found; 1: there are findings; 2: it was called in a wrong
	 * way
	 * @throws Exception if the lab itself fails
	 */
	public static int run(String... arguments) throws Exception {
		Options options;
		try {
			options = Options.parse(arguments);
		}
		catch (IllegalArgumentException ex) {
			System.err.println(ex.getMessage());
			System.err.printf(Options.USAGE, Faults.all().stream().map(Fault::name).toList());
			return 2;
		}
		Files.createDirectories(options.directory());
		try (Sites sites = new Sites(Machine.scratch("verify"), options.database())) {
			Report report = new Report(options, sites.description());
			System.out.println(sites.description() + ", seed " + options.seed());
			for (Fault fault : options.faults()) {
				Optional<String> obstacle = fault.obstacle(sites);
				if (obstacle.isPresent()) {
					report.skip(fault, obstacle.get());
					System.out.println(fault.name() + " is left out: " + obstacle.get());
				}
				else {
					play(options, fault, sites, report);
				}
			}
			Path file = options.directory().resolve("report.md");
			Files.writeString(file, report.markdown());
			System.out.println((report.isGood() ? "Nothing was found. " : "There are findings. ") + "Report: " + file);
			return report.isGood() ? 0 : 1;
		}
	}

	/**
	 * A round that the lab itself could not bring to its end must not hide the others.
	 */
	private static void play(Options options, Fault fault, Sites sites, Report report) {
		try {
			RoundResult result = new Round(options, fault).run(sites);
			report.add(result);
			System.out.println(Report.line(result));
		}
		catch (Exception ex) {
			report.broken(fault, ex);
			System.out.println(fault.name() + " could not be brought to its end");
			ex.printStackTrace();
		}
	}

}
