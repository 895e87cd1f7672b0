package io.rowqueue.products;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * An endless series of plans in which all pairs of choices meet, again and again. With a
 * focus, three of four plans are chosen by weight only.
 */
final class Plans {

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

	/** A job without options, beside another one. */
	Plan plain() {
		this.count++;
		return plan(new int[this.weights.length]);
	}

	private Plan plan(int[] row) {
		return new Plan(this.prefix + this.count, row, this.random, this.shards);
	}

}
