package io.pgqueue.lab.peer;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

import io.pgqueue.lab.contestant.Contestant;
import io.pgqueue.lab.contestant.Ledger;

/**
 * One of several worker processes that drain the same jobs. Each tells how many it ran
 * and their fingerprint, so that whoever started them can check that all ran once.
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

	void run() throws Exception {
		this.report.value("mark", "ready");
		new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
		this.queue.startWorker();
		while (!this.queue.isDrained()) {
			TimeUnit.MILLISECONDS.sleep(20);
		}
		this.report.end();
		this.queue.stopWorker();
		this.report.value("executed", this.ledger.total());
		this.report.value("fingerprint", this.ledger.fingerprint());
	}

}
