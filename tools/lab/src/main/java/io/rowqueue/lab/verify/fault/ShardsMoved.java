package io.rowqueue.lab.verify.fault;

import java.util.Optional;

import io.rowqueue.lab.verify.load.Traffic;
import io.rowqueue.lab.verify.site.ShardedSite;
import io.rowqueue.lab.verify.site.Site;
import io.rowqueue.lab.verify.site.Sites;
import io.rowqueue.postgres.PrivatePostgres;
import io.rowqueue.postgres.StopMode;
import io.rowqueue.shard.Shards;

/** Three databases, between which keys are moved while everything else goes wrong. */
final class ShardsMoved implements FaultUnderLoad {

	/** If no bucket could be moved while something was down, it is tried again. */
	private static final int MAX_TURNS = 12;

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
	public Traffic traffic() {
		return Traffic.USUAL.withKeys(40);
	}

	@Override
	public void strike(Scene scene) throws InterruptedException {
		ShardedSite site = (ShardedSite) scene.site();
		KeyMover mover = new KeyMover(scene.producer().bean(Shards.class), scene.random().split());
		int meanwhile = 0;
		mover.start();
		try {
			for (int turn = 0; !scene.isOver() || turn < 3 || (meanwhile == 0 && turn < MAX_TURNS); turn++) {
				meanwhile += switch (turn % 3) {
					case 0 -> kill(scene, mover);
					case 1 -> crash(scene, site.server(scene.random().nextInt(ShardedSite.SHARDS.size())), mover);
					default -> pause(scene);
				};
			}
		}
		finally {
			mover.stop();
		}
		if (meanwhile == 0) {
			throw new IllegalStateException("No bucket was moved while a worker or a server was down");
		}
		scene.result(
				"%,d buckets were moved, %,d of them while a worker or a server was down; %,d moves were interrupted"
					.formatted(mover.moved(), meanwhile, mover.interrupted()));
	}

	/** Returns how many buckets were moved while a worker was missing. */
	private static int kill(Scene scene, KeyMover mover) throws InterruptedException {
		int before = mover.moved();
		scene.killAndReplace(scene.workers().any(scene.random()));
		return mover.moved() - before;
	}

	/** Returns how many buckets were moved while the server was down. */
	private static int crash(Scene scene, PrivatePostgres server, KeyMover mover) throws InterruptedException {
		int before = mover.moved();
		scene.harm("pg_ctl stop -m immediate");
		server.stop(StopMode.IMMEDIATE);
		scene.pause(100, 2000);
		int moved = mover.moved() - before;
		server.start();
		scene.healed("the server answers again");
		scene.pause(3000, 6000);
		return moved;
	}

	private static int pause(Scene scene) throws InterruptedException {
		scene.pause(500, 2000);
		return 0;
	}

}
