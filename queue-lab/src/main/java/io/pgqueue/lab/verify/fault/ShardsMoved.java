package io.pgqueue.lab.verify.fault;

import java.util.List;
import java.util.Optional;

import io.pgqueue.lab.verify.load.Traffic;
import io.pgqueue.lab.verify.site.ShardedSite;
import io.pgqueue.lab.verify.site.Site;
import io.pgqueue.lab.verify.site.Sites;
import io.pgqueue.lab.verify.worker.WorkerSpec;
import io.pgqueue.postgres.PrivatePostgres;
import io.pgqueue.postgres.StopMode;
import io.pgqueue.shard.Shard;
import io.pgqueue.shard.Shards;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/** Three databases, between which keys are moved while everything else goes wrong. */
final class ShardsMoved implements Fault {

	/** A handler of these needs no transaction of the shard. */
	private static final List<String> TYPES = List.of(WorkerSpec.RETURNING, "import");

	private static final int BUCKETS = 256;

	@Override
	public String name() {
		return "shards";
	}

	@Override
	public String description() {
		return "keys are moved between three databases, while workers are killed with -9, and one of the servers crashes"
				+ " and recovers";
	}

	@Override
	public Optional<String> obstacle(Sites sites) {
		return sites.refuseGiven("three servers are needed");
	}

	@Override
	public Site site(Sites sites) {
		return ShardedSite.create(sites);
	}

	@Override
	public List<String> types() {
		return TYPES;
	}

	@Override
	public Traffic traffic() {
		return Traffic.USUAL.withKeys(40);
	}

	@Override
	public List<WorkerSpec> workers(WorkerSpec usual, int count) {
		return Fault.super.workers(usual.types(TYPES), count);
	}

	@Override
	public void strike(Scene scene) throws InterruptedException {
		Shards shards = scene.producer().bean(Shards.class);
		ShardedSite site = (ShardedSite) scene.site();
		int moved = 0;
		int turn = 0;
		do {
			moved += move(scene, shards);
			switch (turn++ % 3) {
				case 0 -> scene.killAndReplace(scene.workers().any(scene.random()));
				case 1 -> crash(scene, site.server(scene.random().nextInt(ShardedSite.SHARDS.size())), shards);
				default -> scene.pause(500, 2000);
			}
			moved += move(scene, shards);
		}
		while (!scene.isOver() || turn < 3);
		scene.note(moved + " buckets were moved");
	}

	/** In the middle of moves. */
	private static void crash(Scene scene, PrivatePostgres server, Shards shards) throws InterruptedException {
		scene.harm("pg_ctl stop -m immediate");
		server.stop(StopMode.IMMEDIATE);
		move(scene, shards);
		scene.pause(100, 2000);
		server.start();
		scene.healed("the server answers again");
		scene.pause(3000, 6000);
	}

	private static int move(Scene scene, Shards shards) {
		List<String> owners = shards.list().stream().filter((shard) -> shard.buckets() > 0).map(Shard::name).toList();
		String from = owners.get(scene.random().nextInt(owners.size()));
		List<String> others = ShardedSite.SHARDS.stream().filter((name) -> !name.equals(from)).toList();
		String to = others.get(scene.random().nextInt(others.size()));
		try {
			return shards.move(from, to, BUCKETS);
		}
		catch (DataAccessException | TransactionException ex) { // a server is away: any
																// process goes on
			scene.note("a move from " + from + " to " + to + " was interrupted");
			return 0;
		}
	}

}
