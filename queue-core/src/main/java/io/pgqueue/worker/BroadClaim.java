package io.pgqueue.worker;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.pgqueue.store.Claim;
import io.pgqueue.store.ClaimedJob;

/**
 * Claims many jobs with two statements beside each other, each of them half; the rows
 * that one is taking are skipped by the other. While there is plenty, the session that
 * claims is what a worker waits for: it is busy nearly all the time, and waits for the
 * log twice as often as two that commit together.
 */
final class BroadClaim {

	/**
	 * How many jobs one statement is to claim where there are other pools, which a longer
	 * one would delay, or a second statement beside it.
	 */
	static final int MOST_TOGETHER = 500;

	/** The most jobs of one claim. */
	static final int MOST = 2 * MOST_TOGETHER;

	private final Function<Claim, List<ClaimedJob>> statement;

	private final Aside<List<ClaimedJob>> beside;

	private final Consumer<List<ClaimedJob>> rescue;

	/** Whether the latest claim brought as many as a statement is to. */
	private boolean plenty;

	/**
	 * Creates the claim.
	 * @param statement claims
	 * @param executor runs one of two statements
	 * @param rescue takes what one statement brought if the other one failed
	 */
	BroadClaim(Function<Claim, List<ClaimedJob>> statement, Executor executor, Consumer<List<ClaimedJob>> rescue) {
		this.statement = statement;
		this.beside = new Aside<>(executor, () -> {
		});
		this.rescue = rescue;
	}

	/** Claims, with two statements if there was plenty a moment ago. */
	List<ClaimedJob> execute(Claim claim) throws InterruptedException {
		if (claim.lanes().isEmpty()) {
			return List.of();
		}
		boolean two = this.plenty && isWorthTwo(claim);
		this.plenty = false;
		List<ClaimedJob> jobs = two ? executeTwo(claim) : this.statement.apply(claim);
		this.plenty = jobs.size() >= MOST_TOGETHER;
		return jobs;
	}

	private List<ClaimedJob> executeTwo(Claim claim) throws InterruptedException {
		this.beside.begin(() -> this.statement.apply(part(claim, (most) -> most / 2)));
		List<ClaimedJob> jobs = new ArrayList<>(claimHere(part(claim, (most) -> most - most / 2)));
		try {
			jobs.addAll(this.beside.take());
		}
		catch (RuntimeException ex) {
			this.rescue.accept(jobs);
			throw ex;
		}
		return jobs;
	}

	/** What a lane may give at most is counted by a statement, not by two. */
	private static boolean isWorthTwo(Claim claim) {
		return claim.limits().size() == 1 && claim.limits().values().stream().allMatch((most) -> most > MOST_TOGETHER)
				&& claim.lanes().stream().allMatch((lane) -> lane.most() == Integer.MAX_VALUE);
	}

	private List<ClaimedJob> claimHere(Claim claim) throws InterruptedException {
		try {
			return this.statement.apply(claim);
		}
		catch (RuntimeException ex) {
			try {
				this.rescue.accept(this.beside.take());
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
		return new Claim(claim.workerId(), limits, claim.lanes());
	}

}
