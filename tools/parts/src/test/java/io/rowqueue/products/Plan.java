package io.rowqueue.products;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.JobRequest;
import org.jspecify.annotations.Nullable;

/**
 * One combination of choices: the options of a job, the transaction that enqueues it, and
 * what its handler does.
 */
final class Plan {

	/** What the job does about others with its unique key. */
	enum Key {

		NONE, KEEP, REPLACE, RUN_AGAIN, REJECT, UNIQUE_FOR, THROTTLE

	}

	/** The class of its limit key. */
	enum LimitKey {

		NONE, LIMIT, ORDERED, UNITS

	}

	/** What the handler does. */
	enum Work {

		EFFECT, STEP, SLEEP, STEP_SLEEP, STEP_SIGNAL

	}

	/** The transaction of the handler. */
	enum Inside {

		NONE, TRANSACTIONAL, OWN, FOREIGN

	}

	/** How the handler misbehaves, after its work. */
	enum Fault {

		NONE, THROW_ONCE, THROW_ALWAYS, BLOCK, OUTLIVE, EXIT, LEAVE_OPEN

	}

	/** When the job expires. */
	enum Expiry {

		NEVER, LATE, SOON

	}

	/** Whether a failure enqueues another job. */
	enum OnFailure {

		NOTHING, JOB

	}

	/** What is enqueued with it. */
	enum Group {

		SINGLE, BULK, SUCCESSOR, FLOW, BATCH

	}

	/** When the job is due. */
	enum Due {

		AT_ONCE, LATER

	}

	/** How often it is tried. */
	enum Attempts {

		ONE, SEVERAL

	}

	/** Whether a broker carries jobs of its type. */
	enum Carrier {

		TABLE, BROKER

	}

	/** The transaction that enqueues it. */
	enum When {

		ALONE, OWN, READ_COMMITTED, REPEATABLE_READ, ROLLED_BACK, FOREIGN, REQUIRES_NEW, AFTER_COMMIT

	}

	/** How long the transaction takes that enqueues it. */
	enum Linger {

		NOT, SHORT, LONG, ACROSS_A_MOVE

	}

	/** The transaction that sends the signal. */
	enum Signal {

		ALONE, OWN, AFTER_COMMIT

	}

	/** What happens to the job after its enqueue, or in its transaction. */
	enum Change {

		NONE, CANCEL, CANCEL_WITHIN, POSTPONE, POSTPONE_WITHIN

	}

	static final List<Class<? extends Enum<?>>> DIMENSIONS = List.of(Key.class, LimitKey.class, Work.class,
			Inside.class, Fault.class, Expiry.class, OnFailure.class, Group.class, Due.class, Attempts.class,
			Carrier.class, When.class, Linger.class, Signal.class, Change.class);

	/** How many unique and limit keys of each kind there are. */
	private static final int KEYS = 5;

	/** The same for unique keys without a limit key. */
	private static final int UNIQUE_KEYS = 15;

	private final String token;

	private final Enum<?>[] choices;

	private final int number;

	private final Duration delay;

	private final Duration nap;

	/**
	 * Whether the keys are those that are enqueued outside of transactions only, so that
	 * they meet their like in all shards.
	 */
	private final boolean routed;

	/**
	 * Makes a plan of a row of choices that do not contradict each other: those that the
	 * queue refuses give way.
	 * @param token the payload, which no other enqueue has
	 */
	Plan(String token, int[] row, Random random, boolean shards) {
		this.token = token;
		this.choices = new Enum<?>[row.length];
		for (int i = 0; i < row.length; i++) {
			this.choices[i] = DIMENSIONS.get(i).getEnumConstants()[row[i]];
		}
		this.number = random.nextInt(keys(get(LimitKey.class)));
		this.delay = Duration.ofMillis(200 + random.nextInt(2000));
		this.nap = Duration.ofMillis(50 + random.nextInt(1500));
		Key key = get(Key.class);
		switch (get(Group.class)) {
			case SUCCESSOR -> set(Key.NONE);
			case FLOW, BATCH -> set((key == Key.NONE || key == Key.REJECT) ? key : Key.KEEP);
			default -> set(key);
		}
		if (get(Group.class) == Group.BATCH && get(Work.class) == Work.STEP_SIGNAL) {
			set(Work.STEP_SLEEP); // the id is not known
		}
		if (shards) {
			set(Carrier.TABLE);
		}
		if (is(Carrier.BROKER) && is(Inside.TRANSACTIONAL)) {
			set(Inside.NONE); // what a broker carries does not end in its transaction
		}
		// a job without a key is nobody else's, and a signal ends a wait that was
		// postponed
		if (shards || !is(Key.NONE) || get(Group.class) != Group.SINGLE || is(Work.STEP_SIGNAL)) {
			set(Change.NONE);
		}
		this.routed = shards && (get(When.class) == When.ALONE || get(When.class) == When.FOREIGN)
				&& random.nextInt(3) > 0;
	}

	private void set(Enum<?> choice) {
		this.choices[DIMENSIONS.indexOf(choice.getDeclaringClass())] = choice;
	}

	<E extends Enum<E>> E get(Class<E> dimension) {
		return dimension.cast(this.choices[DIMENSIONS.indexOf(dimension)]);
	}

	boolean is(Enum<?> choice) {
		return Arrays.asList(this.choices).contains(choice);
	}

	String token() {
		return this.token;
	}

	/** How long the handler waits between its parts. */
	Duration nap() {
		return this.nap;
	}

	boolean isRouted() {
		return this.routed;
	}

	String type() {
		return is(Carrier.BROKER) ? "carried" : is(Inside.TRANSACTIONAL) ? "transactional" : "stored";
	}

	/** All jobs with a unique key have the same limit key. */
	@Nullable String uniqueKey() {
		return is(Key.NONE) ? null : "unique " + keyName();
	}

	@Nullable String limitKey() {
		return is(LimitKey.NONE) ? null : keyName();
	}

	int units() {
		return is(LimitKey.UNITS) ? 1 + this.number % 2 : 1;
	}

	private String keyName() {
		return get(LimitKey.class).name().toLowerCase(Locale.ROOT) + ":" + (this.routed ? "routed" : "mixed")
				+ this.number;
	}

	int attempts() {
		return is(Attempts.ONE) ? 1 : 6;
	}

	private static int keys(LimitKey kind) {
		return (kind == LimitKey.NONE) ? UNIQUE_KEYS : KEYS;
	}

	/** The names of all keys that plans can have. */
	static List<String> keyNames(boolean routed) {
		List<String> names = new ArrayList<>();
		for (LimitKey kind : LimitKey.values()) {
			for (int i = 0; i < keys(kind); i++) {
				names.add(kind.name().toLowerCase(Locale.ROOT) + ":" + (routed ? "routed" : "mixed") + i);
			}
		}
		return names;
	}

	JobRequest request() {
		JobRequest request = JobRequest.of(type(), this.token).maxAttempts(attempts());
		String limitKey = limitKey();
		if (limitKey != null) {
			request = (units() > 1) ? request.limitKey(limitKey, units()) : request.limitKey(limitKey);
		}
		String uniqueKey = uniqueKey();
		if (uniqueKey != null) {
			request = withPolicy(request.uniqueKey(uniqueKey));
		}
		request = switch (get(Expiry.class)) {
			case NEVER -> request;
			case LATE -> request.expiresIn(Duration.ofHours(1));
			case SOON -> request.expiresIn(Duration.ofMillis(1500));
		};
		if (is(Due.LATER)) {
			request = request.delay(this.delay);
		}
		return is(OnFailure.JOB) ? request.onFailure(JobRequest.of("note", onFailureToken())) : request;
	}

	String onFailureToken() {
		return "failure of " + this.token;
	}

	private JobRequest withPolicy(JobRequest request) {
		return switch (get(Key.class)) {
			case REPLACE -> request.duplicates(DuplicatePolicy.replace());
			case RUN_AGAIN -> request.duplicates(DuplicatePolicy.runAgain());
			case REJECT -> request.duplicates(DuplicatePolicy.reject());
			case UNIQUE_FOR -> request.uniqueFor(Duration.ofMillis(200));
			case THROTTLE -> request.throttle(Duration.ofMillis(200));
			default -> request;
		};
	}

	@Override
	public String toString() {
		return "'" + this.token + "' with "
				+ Arrays.stream(this.choices)
					.map((choice) -> choice.getDeclaringClass().getSimpleName() + "." + choice)
					.collect(Collectors.joining(" × "))
				+ (uniqueKey() != null || limitKey() != null ? ", key " + keyName() : "");
	}

}
