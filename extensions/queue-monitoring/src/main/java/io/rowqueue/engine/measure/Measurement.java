package io.rowqueue.engine.measure;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The latest measurement, of any process.
 *
 * @param age the time since it was taken
 * @param figures the figures
 */
public record Measurement(Duration age, List<Figure> figures) {

	/** There is no measurement. */
	public static final Measurement NONE = new Measurement(Duration.ZERO, List.of());

	/**
	 * Returns the sum of the figures with a name and a state.
	 * @param name see {@link Figure}
	 * @param state the state, or {@code null} for all states
	 * @return the sum; 0 if there are no such figures
	 */
	public double total(String name, @Nullable String state) {
		return this.figures.stream()
			.filter((figure) -> figure.name().equals(name) && (state == null || state.equals(figure.state())))
			.mapToDouble(Figure::value)
			.sum();
	}

	/**
	 * Returns the sum of the figures with a name.
	 * @param name see {@link Figure}
	 * @return the sum; 0 if there are no such figures
	 */
	public double total(String name) {
		return total(name, null);
	}

}
