package io.pgqueue.store;

import java.time.Duration;
import java.util.List;

/**
 * What was measured last, by whichever process did.
 *
 * @param age how long ago
 * @param figures the numbers
 */
public record Measurement(Duration age, List<Figure> figures) {

	/**
	 * The sum of the figures of a name.
	 * @param name see {@link Figure}
	 * @return 0 if there is none
	 */
	public double total(String name) {
		return this.figures.stream().filter((figure) -> figure.name().equals(name)).mapToDouble(Figure::value).sum();
	}

}
