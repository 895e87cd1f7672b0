package io.rowqueue.products;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Rows in which any two choices of two dimensions meet at least once. Greedy: of some
 * random rows that have a pair which is missing, the one with the most missing pairs is
 * next.
 */
final class Pairs {

	private static final int CANDIDATES = 8;

	private final double[][] weights;

	private final Random random;

	private final Set<Pair> missing = new LinkedHashSet<>();

	private Pairs(double[][] weights, Random random) {
		this.weights = weights;
		this.random = random;
	}

	/**
	 * Returns the rows in random order.
	 * @param weights of each choice of each dimension: how often it is taken where any
	 * choice would do; none has a weight of zero or less
	 */
	static List<int[]> rows(double[][] weights, Random random) {
		Pairs pairs = new Pairs(weights, random);
		pairs.requireAll();
		List<int[]> rows = new ArrayList<>();
		while (!pairs.missing.isEmpty()) {
			rows.add(pairs.next());
		}
		Collections.shuffle(rows, random);
		return rows;
	}

	/** Returns one row, by weight only. */
	static int[] row(double[][] weights, Random random) {
		return Arrays.stream(weights).mapToInt((each) -> any(each, random)).toArray();
	}

	private void requireAll() {
		List<Pair> all = new ArrayList<>();
		for (int a = 0; a < this.weights.length; a++) {
			for (int b = a + 1; b < this.weights.length; b++) {
				for (int x : possible(a)) {
					for (int y : possible(b)) {
						all.add(new Pair(a, x, b, y));
					}
				}
			}
		}
		Collections.shuffle(all, this.random);
		this.missing.addAll(all);
	}

	private int[] possible(int dimension) {
		double[] choices = this.weights[dimension];
		return IntStream.range(0, choices.length).filter((choice) -> choices[choice] > 0).toArray();
	}

	private int[] next() {
		Pair seed = this.missing.iterator().next();
		int[] best = candidate(seed);
		for (int i = 1; i < CANDIDATES; i++) {
			int[] other = candidate(seed);
			best = (gain(other) > gain(best)) ? other : best;
		}
		int[] row = best;
		this.missing.removeIf((pair) -> pair.isIn(row));
		return row;
	}

	private int[] candidate(Pair seed) {
		int[] row = row(this.weights, this.random);
		row[seed.a] = seed.x;
		row[seed.b] = seed.y;
		return row;
	}

	private long gain(int[] row) {
		return this.missing.stream().filter((pair) -> pair.isIn(row)).count();
	}

	private static int any(double[] weights, Random random) {
		double rest = random.nextDouble() * Arrays.stream(weights).sum();
		int choice = -1;
		for (int i = 0; i < weights.length && rest >= 0; i++) {
			if (weights[i] > 0) {
				choice = i;
				rest -= weights[i];
			}
		}
		return choice;
	}

	/** Choice x of dimension a beside choice y of dimension b. */
	private record Pair(int a, int x, int b, int y) {

		boolean isIn(int[] row) {
			return row[this.a] == this.x && row[this.b] == this.y;
		}

	}

}
