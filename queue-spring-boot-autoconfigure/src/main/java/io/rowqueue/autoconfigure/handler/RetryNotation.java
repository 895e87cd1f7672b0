package io.rowqueue.autoconfigure.handler;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.rowqueue.RetryPolicy;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.Assert;

/**
 * A retry policy as text: the call of a factory method of {@link RetryPolicy}, or the
 * name of a bean.
 */
final class RetryNotation {

	private static final Pattern CALL = Pattern.compile("\\s*(\\w+)\\s*\\((.*)\\)\\s*");

	private static final double JITTER = 0.2;

	private final BeanFactory beans;

	RetryNotation(BeanFactory beans) {
		this.beans = beans;
	}

	/**
	 * Reads a policy.
	 * @throws IllegalArgumentException if the text is invalid; the message quotes it
	 */
	RetryPolicy read(String text) {
		Matcher call = CALL.matcher(text);
		if (!call.matches()) {
			return bean(text.strip());
		}
		String[] values = Arrays.stream(call.group(2).split(",")).map(String::strip).toArray(String[]::new);
		try {
			return policy(call.group(1), values);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("'%s': %s".formatted(text, ex.getMessage()), ex);
		}
	}

	private static RetryPolicy policy(String name, String[] values) {
		switch (name) {
			case "fixed" -> {
				Assert.isTrue(values.length == 1, "fixed requires one delay");
				return RetryPolicy.fixed(duration(values[0]));
			}
			case "linear" -> {
				Assert.isTrue(values.length == 2 || values.length == 3,
						"linear requires step and max, and accepts jitter");
				return RetryPolicy.linear(duration(values[0]), duration(values[1]), jitter(values, 2));
			}
			case "exponential" -> {
				Assert.isTrue(values.length == 3 || values.length == 4,
						"exponential requires initial, multiplier and max, and accepts jitter");
				return RetryPolicy.exponential(duration(values[0]), number(values[1]), duration(values[2]),
						jitter(values, 3));
			}
			case "delays" -> {
				return RetryPolicy.delays(Arrays.stream(values).map(RetryNotation::duration).toArray(Duration[]::new));
			}
			default ->
				throw new IllegalArgumentException("'" + name + "' must be fixed, linear, exponential or delays");
		}
	}

	private RetryPolicy bean(String name) {
		if (!this.beans.containsBean(name) || !this.beans.isTypeMatch(name, RetryPolicy.class)) {
			throw new IllegalArgumentException(("'%s' is neither the name of a RetryPolicy bean nor one of"
					+ " fixed(…), linear(…), exponential(…) and delays(…)")
				.formatted(name));
		}
		return this.beans.getBean(name, RetryPolicy.class);
	}

	private static double jitter(String[] values, int index) {
		return (values.length > index) ? number(values[index]) : JITTER;
	}

	private static double number(String value) {
		try {
			return Double.parseDouble(value);
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException("'" + value + "' is not a number", ex);
		}
	}

	private static Duration duration(String value) {
		try {
			return DurationStyle.detectAndParse(value, ChronoUnit.SECONDS);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("'" + value + "' is not a duration", ex);
		}
	}

}
