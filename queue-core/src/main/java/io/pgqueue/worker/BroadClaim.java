package io.pgqueue.worker;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.pgqueue.store.Claim;
import io.pgqueue.store.Claimed;
import io.pgqueue.store.ClaimedJob;

/**
 * Claims jobs as it is cheapest while there are more than asked for.
 * <p>
 * Many are claimed with two statements beside each other, each of them half; the rows
 * that one is taking are skipped by the other. The session that claims is what a worker
 * waits for then: it is busy nearly all the time, and waits for the log twice as often as
 * two that commit together.
 * <p>
 * Jobs that others have locked are passed over without a look at their locks. That also
 * leaves some which are free: so it is done only after a claim that was full and met none
 * of these, and not right after a sweep, which begins where the first of them waits.
 */
final class BroadClaim {

	/**
	 * How many jobs one statement is to claim where there are other pools, which a longer
	 * one would delay, or a second statement beside it.
	 */
	static final int MOST_TOGETHER = 500;

	/** The most jobs of one claim. */
	static final int MOST = 2 * MOST_TOGETHER;

	private final Function<Claim, Claimed> statement;

	private final Aside<Claimed> beside;

	private final Consumer<List<ClaimedJob>> rescue;

	/** Whether the latest claim brought as many as a statement is to. */
	private boolean plenty;

	/** The pools of the latest claim, if it was full and met no touched job. */
	private Set<String> full = Set.of();

	/**
	 * Creates the claim.
	 * @param statement claims
	 * @param executor runs one of two statements
	 * @param rescue takes what one statement brought if the other one failed
	 */
	BroadClaim(Function<Claim, Claimed> statement, Executor executor, Consumer<List<ClaimedJob>> rescue) {
		this.statement = statement;
		this.beside = new Aside<>(executor, () -> {
		});
		this.rescue = rescue;
	}

	/** The lanes begin where a sweep found them: the next claim looks at every job. */
	void swept() {
		this.full = Set.of();
	}

	/** Claims, with two statements if there was plenty a moment ago. */
	List<ClaimedJob> execute(Claim claim) throws InterruptedException {
		if (claim.lanes().isEmpty()) {
			return List.of();
		}
		boolean two = this.plenty && isWorthTwo(claim);
		Claim asked = this.full.containsAll(claim.limits().keySet()) ? claim.ofUntouched() : claim;
		this.plenty = false;
		this.full = Set.of();
		Claimed claimed = two ? executeTwo(asked) : this.statement.apply(asked);
		int jobs = claimed.jobs().size();
		this.plenty = jobs >= MOST_TOGETHER;
		int most = claim.limits().values().stream().mapToInt((each) -> each).sum();
		this.full = (jobs > 0 && jobs >= most && !claimed.touched()) ? Set.copyOf(claim.limits().keySet()) : Set.of();
		return claimed.jobs();
	}

	private Claimed executeTwo(Claim claim) throws InterruptedException {
		this.beside.begin(() -> this.statement.apply(part(claim, (most) -> most / 2).dropping(List.of())));
		Claimed here = claimHere(part(claim, (most) -> most - most / 2));
		Claimed there;
		try {
			there = this.beside.take();
		}
		catch (RuntimeException | Error ex) {
			this.rescue.accept(here.jobs());
			throw ex;
		}
		List<ClaimedJob> jobs = new ArrayList<>(here.jobs());
		jobs.addAll(there.jobs());
		return new Claimed(jobs, here.touched() || there.touched(), 0);
	}

	/** What a lane may give at most is counted by a statement, not by two. */
	private static boolean isWorthTwo(Claim claim) {
		return claim.limits().size() == 1 && claim.limits().values().stream().allMatch((most) -> most > MOST_TOGETHER)
				&& claim.lanes().stream().allMatch((lane) -> lane.most() == Integer.MAX_VALUE);
	}

	private Claimed claimHere(Claim claim) throws InterruptedException {
		try {
			return this.statement.apply(claim);
		}
		catch (RuntimeException | Error ex) {
			try {
				this.rescue.accept(this.beside.take().jobs());
			}
			catch (RuntimeException other) {
				ex.addSuppressed(other);
			}
			throw ex;
		}
	}

	private static Claim part(Claim claim, UnaryOperator<Integer> share) {
		Map<String, Integer> limits = new LinkedHashMap<>(claim.limits());
		limits.replaceAll((pool, most) -> share.apply(most));
		return claim.limitedTo(limits);
	}

}
