package io.rowqueue.products;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An endless series of plans in which all pairs of choices meet, again and again. With a
 * focus, three of four plans are chosen by weight only.
 */
final class Plans {

	/** The dimensions whose first choice lets a job start at its commit. */
	private static final Set<Class<? extends Enum<?>>> OPTIONS = Set.of(Plan.Key.class, Plan.LimitKey.class,
			Plan.Expiry.class, Plan.OnFailure.class, Plan.Group.class, Plan.Due.class, Plan.Carrier.class);

	private final double[][] weights;

	private final Random random;

	private final String prefix;

	private final boolean shards;

	private final boolean focused;

	private Iterator<int[]> rows;

	private int count;

	/**
	 * Creates a series.
	 * @param focus the weights of choices, such as {@code STEP_SLEEP=5,LEAVE_OPEN=0}; 1
	 * for all others
	 */
	Plans(String prefix, Random random, boolean shards, String focus) {
		this.prefix = prefix;
		this.random = random;
		this.shards = shards;
		this.focused = !focus.isEmpty();
		Map<String, Double> given = Arrays.stream(focus.split(","))
			.filter((each) -> !each.isBlank())
			.map((each) -> each.split("="))
			.collect(Collectors.toMap((each) -> each[0].strip(), (each) -> Double.valueOf(each[1].strip())));
		this.weights = Plan.DIMENSIONS.stream()
			.map((dimension) -> Arrays.stream(dimension.getEnumConstants())
				.mapToDouble((choice) -> given.getOrDefault(dimension.getSimpleName() + "." + choice,
						given.getOrDefault(choice.toString(), 1.0)))
				.toArray())
			.toArray(double[][]::new);
		this.rows = List.<int[]>of().iterator();
	}

	Plan next() {
		this.count++;
		return plan((this.focused && this.count % 4 > 0) ? Pairs.row(this.weights, this.random) : nextRow());
	}

	private int[] nextRow() {
		if (!this.rows.hasNext()) {
			this.rows = Pairs.rows(this.weights, this.random).iterator();
		}
		return this.rows.next();
	}

	/**
	 * A job without the options that keep it from starting at its commit: few have none
	 * of them by chance.
	 */
	Plan startable() {
		this.count++;
		int[] row = Pairs.row(this.weights, this.random);
		for (int i = 0; i < row.length; i++) {
			if (OPTIONS.contains(Plan.DIMENSIONS.get(i))) {
				row[i] = 0;
			}
		}
		return plan(row);
	}

	/** A job without options, beside another one. */
	Plan plain() {
		this.count++;
		return plan(new int[this.weights.length]);
	}

	private Plan plan(int[] row) {
		return new Plan(this.prefix + this.count, row, this.random, this.shards);
	}

}
