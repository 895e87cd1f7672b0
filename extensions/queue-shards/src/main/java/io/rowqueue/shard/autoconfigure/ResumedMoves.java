package io.rowqueue.shard.autoconfigure;

import java.time.Duration;

import io.rowqueue.engine.shard.ShardGroup;
import io.rowqueue.engine.shard.ShardMoves;
import io.rowqueue.engine.support.Loop;
import io.rowqueue.engine.support.Outage;

/**
 * Completes moves of a process that may have ended. Each look is a statement in each
 * shard, so it is done rarely, and at once when something waits for a move.
 */
final class ResumedMoves {

	/** How often moves are looked for that nobody completes. */
	private static final Duration INTERVAL = Duration.ofSeconds(10);

	/** How often a move is tried whose target is not available. */
	private static final Duration OPEN = Duration.ofSeconds(1);

	private final ShardMoves moves;

	private final Loop loop;

	/** Belongs to the thread of the loop. */
	private boolean open;

	ResumedMoves(ShardGroup group) {
		this.moves = new ShardMoves(group);
		this.loop = new Loop("rowqueue-shard-moves", new Outage("Moves between shards", () -> {
		}), () -> this.open ? OPEN : INTERVAL, this::turn);
		group.onOverdueMove(this.loop::wake);
	}

	private void turn() {
		this.open = this.moves.resume();
	}

	void start() {
		this.loop.start();
	}

	void stop() {
		this.loop.stop();
	}

}
