package io.rowqueue.lab.verify;

import java.util.Optional;
import java.util.Queue;

import io.rowqueue.lab.verify.fault.Fault;
import io.rowqueue.lab.verify.fault.FaultUnderLoad;
import io.rowqueue.lab.verify.site.Sites;

/**
 * Does one fault after the other. Those beside each other share nothing but the machine:
 * each has servers of its own.
 */
final class Rounds extends Thread {

	private final Options options;

	private final Sites sites;

	private final Queue<Fault> waiting;

	private final Report report;

	/**
	 * Creates the rounds of one thread.
	 * @param sites where they take place; closed when the last one has ended
	 * @param waiting the faults that have not started
	 * @param report receives their results
	 */
	Rounds(Options options, Sites sites, Queue<Fault> waiting, Report report) {
		this.options = options;
		this.sites = sites;
		this.waiting = waiting;
		this.report = report;
	}

	@Override
	public void run() {
		try (this.sites) {
			Fault fault = this.waiting.poll();
			while (fault != null) {
				play(fault);
				fault = this.waiting.poll();
			}
		}
	}

	/**
	 * A round that the lab itself could not bring to its end must not hide the others.
	 */
	private void play(Fault fault) {
		try {
			Optional<String> obstacle = fault.obstacle(this.sites);
			if (obstacle.isPresent()) {
				this.report.skip(fault, obstacle.get());
				System.out.println(fault.name() + " is left out: " + obstacle.get());
				return;
			}
			RoundResult result = (fault instanceof FaultUnderLoad underLoad)
					? new Round(this.options, underLoad).run(this.sites) : new ProductsRound(this.options, fault).run();
			this.report.add(result);
			System.out.println(Report.line(result));
		}
		catch (Exception | Error ex) {
			this.report.broken(fault, ex);
			System.out.println(fault.name() + " could not be brought to its end");
			ex.printStackTrace();
		}
	}

}
