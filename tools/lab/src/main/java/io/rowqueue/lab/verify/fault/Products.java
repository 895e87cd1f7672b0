package io.rowqueue.lab.verify.fault;

import java.util.Optional;

import io.rowqueue.lab.verify.site.Sites;

/** Random jobs that combine features, in a process with a judge of its own. */
public final class Products implements Fault {

	Products() {
	}

	@Override
	public String name() {
		return "products";
	}

	@Override
	public String description() {
		return "random jobs combine the options of jobs, the transactions that enqueue them and what handlers do wrong in all pairs,"
				+ " in one database and in three shards, while processes die, answers to commits are lost and keys move";
	}

	@Override
	public Optional<String> obstacle(Sites sites) {
		return sites.refuseGiven("several databases are needed");
	}

}
