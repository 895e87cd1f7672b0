package io.rowqueue.engine.codec;

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
		return hasLongExponent(json, 'e') || hasLongExponent(json, 'E') || hasManyDigits(json);
	}

	private static boolean hasLongExponent(String json, char sign) {
		for (int i = json.indexOf(sign); i >= 0; i = json.indexOf(sign, i + 1)) {
			if (i > 0 && isDigit(json.charAt(i - 1)) && isLongExponent(json, i + 1)) {
				return true;
			}
		}
		return false;
	}

	/** So many digits in a row cover one of the positions that are looked at. */
	private static boolean hasManyDigits(String json) {
		for (int i = MAX_DIGITS; i < json.length(); i += MAX_DIGITS) {
			if (isDigit(json.charAt(i)) && digitsAround(json, i) > MAX_DIGITS) {
				return true;
			}
		}
		return false;
	}

	private static int digitsAround(String json, int digit) {
		int begin = digit;
		while (begin > 0 && isDigit(json.charAt(begin - 1))) {
			begin--;
		}
		int end = digit + 1;
		while (end < json.length() && isDigit(json.charAt(end))) {
			end++;
		}
		return end - begin;
	}

	private static boolean isLongExponent(String json, int begin) {
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
