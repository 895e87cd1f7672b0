package io.rowqueue.lab.peer;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.rowqueue.lab.contestant.Contestant;
import io.rowqueue.lab.contestant.Ledger;

/**
 * One of several worker processes that drain the same jobs. Each reports how many it has
 * run and, at the end, their fingerprint, so that the process that started them knows
 * when all are done and can check that each ran once. It can be asked to do so twice:
 * once to warm up, and again with what has been added since. No process asks the database
 * for that meanwhile: the answer means to walk over all that has been done, and there are
 * several of them.
 */
final class SharedWork {

	private final Contestant queue;

	private final Ledger ledger;

	private final Report report;

	SharedWork(Contestant queue, Ledger ledger, Report report) {
		this.queue = queue;
		this.ledger = ledger;
		this.report = report;
	}

	void run(boolean warmUp) throws Exception {
		BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		Thread teller = new Thread(this::tell, "teller");
		teller.setDaemon(true);
		teller.start();
		if (warmUp) {
			drain(commands);
			this.queue.stopWorker();
			this.report.value("warmed", this.ledger.total());
		}
		drain(commands);
		this.report.end();
		this.queue.stopWorker();
		this.report.value("executed", this.ledger.total());
		this.report.value("fingerprint", this.ledger.fingerprint());
	}

	private void drain(BufferedReader commands) throws Exception {
		this.report.value("mark", "ready");
		commands.readLine();
		this.queue.startWorker();
		// all jobs are done, or the process that started this one has ended
		commands.readLine();
		while (!this.queue.isDrained()) {
			TimeUnit.MILLISECONDS.sleep(2);
		}
	}

	/** Reports how many jobs it has run whenever that has changed. */
	private void tell() {
		int reported = 0;
		while (true) {
			int total = this.ledger.total();
			if (total != reported) {
				reported = total;
				this.report.value("executed", total);
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}
	}

}
