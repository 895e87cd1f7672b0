package io.pgqueue.engine.codec;

import tools.jackson.core.JsonParser;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.util.JsonParserDelegate;

/**
 * Rejects numbers that a {@code double} cannot represent, such as {@code 1e999}, where a
 * {@code double} is required. Jackson reads them as infinity, which JSON cannot
 * represent: a payload that is written again, for example after a merge, would contain a
 * string instead.
 */
final class FiniteNumbers extends JsonParserDelegate {

	/** More digits than this, or an exponent of three digits, may exceed the range. */
	private static final int MAX_DIGITS = 200;

	FiniteNumbers(JsonParser parser) {
		super(parser);
	}

	/**
	 * Returns whether a JSON text may contain such a number, because it contains a number
	 * with very many digits or an exponent of three. Nearly all texts do not, and are
	 * read without this class.
	 */
	static boolean areInDoubt(String json) {
		int digits = 0;
		for (int i = 0; i < json.length(); i++) {
			char c = json.charAt(i);
			if (isDigit(c)) {
				digits++;
				if (digits > MAX_DIGITS) {
					return true;
				}
			}
			else {
				if (digits > 0 && (c == 'e' || c == 'E') && hasLongExponent(json, i + 1)) {
					return true;
				}
				digits = 0;
			}
		}
		return false;
	}

	private static boolean hasLongExponent(String json, int begin) {
		int i = (begin < json.length() && json.charAt(begin) == '+') ? begin + 1 : begin;
		return i + 2 < json.length() && isDigit(json.charAt(i)) && isDigit(json.charAt(i + 1))
				&& isDigit(json.charAt(i + 2));
	}

	private static boolean isDigit(char c) {
		return c >= '0' && c <= '9';
	}

	@Override
	public Number getNumberValue() {
		Number number = super.getNumberValue();
		check(number.doubleValue(), number instanceof Double || number instanceof Float);
		return number;
	}

	@Override
	public double getDoubleValue() {
		double number = super.getDoubleValue();
		check(number, true);
		return number;
	}

	@Override
	public float getFloatValue() {
		float number = super.getFloatValue();
		check(super.getDoubleValue(), true);
		return number;
	}

	private void check(double number, boolean binary) {
		if (binary && Double.isInfinite(number)) {
			throw new InputCoercionException(this, "Number out of range of double", currentToken(), double.class);
		}
	}

}
