package io.rowqueue.engine.shard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

import io.rowqueue.engine.slot.Pool;
import io.rowqueue.engine.slot.PoolFactory;
import io.rowqueue.engine.slot.Pools;
import io.rowqueue.engine.slot.SlotShare;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a process that serves several shards. Each shard has a worker with pools
 * of its own, as if it were alone; pools of the same name share their slots. The number
 * of jobs that run at once never exceeds the slots, whichever shards they come from.
 * <p>
 * The slots of a pool are divided fairly between the shards that need some: each of them
 * gets an equal part, and what it does not need is left to the others. A shard that has
 * no jobs, or whose database is not available, needs none.
 */
public final class SharedSlots implements PoolFactory {

	private final Map<String, Group> groups = new HashMap<>();

	private final Map<Duration, SharedSlots> separate = new HashMap<>();

	/**
	 * Returns the slots of those workers of the process that have a lease of their own,
	 * one in each shard.
	 * @param lease their lease
	 */
	@Override
	public synchronized SharedSlots of(Duration lease) {
		return this.separate.computeIfAbsent(lease, (added) -> new SharedSlots());
	}

	/**
	 * Adds a worker.
	 * @param concurrency how many jobs of all queues without slots of their own run at
	 * once in the process
	 * @param queues how many jobs of each queue with slots of its own run at once
	 * @param maxPrefetch how many jobs a pool holds at most beyond those that run
	 * @param available whether the worker can claim jobs
	 * @param wake wakes the thread that claims for the worker; must return at once
	 * @return the pools of the worker, until they are {@linkplain Pools#leave() removed}
	 */
	@Override
	public Pools create(int concurrency, Map<String, Integer> queues, int maxPrefetch, BooleanSupplier available,
			Runnable wake) {
		return new Pools(concurrency, queues, maxPrefetch, (pool, slots) -> group(pool).join(slots, available, wake));
	}

	private synchronized Group group(String pool) {
		return this.groups.computeIfAbsent(pool, (added) -> new Group());
	}

	/** The pools of one name. */
	private static final class Group {

		private final List<Member> members = new ArrayList<>();

		private int slots;

		private int running;

		synchronized Member join(int slots, BooleanSupplier available, Runnable wake) {
			Member member = new Member(this, slots, available, wake);
			this.members.add(member);
			count();
			return member;
		}

		synchronized void resize(Member member, int slots) {
			member.slots = slots;
			count();
		}

		/**
		 * A shard whose slots were changed at run time has more or fewer than the others.
		 */
		private void count() {
			this.slots = this.members.stream().mapToInt((member) -> member.slots).max().orElse(0);
		}

		synchronized void leave(Member member) {
			this.members.remove(member);
			count();
			this.running -= member.running;
			member.running = 0;
		}

		synchronized boolean take(Member member) {
			member.refused = this.running >= this.slots || member.running >= share(member);
			if (member.refused) {
				return false;
			}
			member.running++;
			this.running++;
			return true;
		}

		synchronized void release(Member member) {
			if (member.running > 0) {
				member.running--;
				this.running--;
			}
		}

		/**
		 * Returns how many slots the member may use now: its share, as far as it is free.
		 */
		synchronized int slots(Member member) {
			int free = Math.max(0, this.slots - this.running);
			int usable = Math.min(share(member), member.running + free);
			member.refused |= usable < this.slots;
			return usable;
		}

		/** An equal part, and what the others do not need of theirs. */
		private int share(Member member) {
			int[] needs = new int[this.members.size()];
			int sharing = 1;
			for (int i = 0; i < needs.length; i++) {
				Member other = this.members.get(i);
				needs[i] = (other != member) ? other.need() : 0;
				sharing += (needs[i] > 0) ? 1 : 0;
			}
			int part = (this.slots + sharing - 1) / sharing;
			int left = this.slots;
			for (int need : needs) {
				left -= Math.min(part, need);
			}
			return Math.min(member.slots, Math.max(part, left));
		}

		/** Returns the others that were refused a slot, which may get one now. */
		synchronized List<Member> refusedBeside(Member member) {
			List<Member> refused = new ArrayList<>();
			for (Member other : this.members) {
				if (other != member && other.refused) {
					other.refused = false;
					refused.add(other);
				}
			}
			return refused;
		}

	}

	/** One pool. Its fields are guarded by its group. */
	static final class Member implements SlotShare {

		private final Group group;

		private final BooleanSupplier available;

		private final Runnable wake;

		private volatile @Nullable Pool pool;

		/** A claim takes the demand of the pool before it brings jobs. */
		private volatile boolean claiming;

		private int slots;

		private int running;

		private boolean refused;

		private Member(Group group, int slots, BooleanSupplier available, Runnable wake) {
			this.group = group;
			this.slots = slots;
			this.available = available;
			this.wake = wake;
		}

		@Override
		public void serve(Pool served) {
			this.pool = served;
		}

		@Override
		public void leave() {
			this.group.leave(this);
		}

		/**
		 * Returns how many slots its jobs need: those that it holds, and one to look for
		 * more.
		 */
		private int need() {
			Pool served = this.pool;
			if (served == null) {
				return 0;
			}
			boolean looks = this.claiming || (served.demand().isThere() && this.available.getAsBoolean());
			return served.jobs().demandedSlots() + (looks ? 1 : 0);
		}

		@Override
		public boolean take() {
			return this.group.take(this);
		}

		@Override
		public void release() {
			this.group.release(this);
		}

		@Override
		public int slots() {
			return this.group.slots(this);
		}

		@Override
		public void resize(int slots) {
			this.group.resize(this, slots);
		}

		@Override
		public void claims() {
			this.claiming = true;
		}

		@Override
		public void claimed() {
			this.claiming = false;
			changed();
		}

		@Override
		public void changed() {
			this.group.refusedBeside(this).forEach(Member::wake);
		}

		private void wake() {
			Pool served = this.pool;
			if (served != null) {
				served.jobs().wake();
				this.wake.run();
			}
		}

	}

}
