package io.pgqueue.engine.measure;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What was measured last, by whichever process did.
 *
 * @param age how long ago
 * @param figures the numbers
 */
public record Measurement(Duration age, List<Figure> figures) {

	/** Nothing was measured. */
	public static final Measurement NONE = new Measurement(Duration.ZERO, List.of());

	/**
	 * The sum of the figures of a name and a state.
	 * @param name see {@link Figure}
	 * @param state the state; {@code null}: of all states
	 * @return 0 if there is none
	 */
	public double total(String name, @Nullable String state) {
		return this.figures.stream()
			.filter((figure) -> figure.name().equals(name) && (state == null || state.equals(figure.state())))
			.mapToDouble(Figure::value)
			.sum();
	}

	/**
	 * The sum of the figures of a name.
	 * @param name see {@link Figure}
	 * @return 0 if there is none
	 */
	public double total(String name) {
		return total(name, null);
	}

}
