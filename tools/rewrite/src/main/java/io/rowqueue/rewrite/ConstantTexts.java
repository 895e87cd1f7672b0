package io.rowqueue.rewrite;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.Flag;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;

/**
 * The texts of constants, so that expressions in different classes can be compared. An
 * expression is written with the names of the constants that it refers to, whose sources
 * may not have been read yet.
 */
final class ConstantTexts {

	private static final Pattern REFERENCE = Pattern.compile("\u0000([^\u0000]+)\u0000");

	/** More than any constant is nested; one may refer to itself in a broken source. */
	private static final int MAX_DEPTH = 20;

	private final Map<String, String> texts = new HashMap<>();

	/** Adds a variable if it is a constant. */
	void add(J.VariableDeclarations.NamedVariable variable) {
		@Nullable Expression value = variable.getInitializer();
		@Nullable String name = nameOf(variable.getVariableType());
		if (value != null && name != null) {
			this.texts.put(name, write(value));
		}
	}

	/** Writes an expression, with references to constants. */
	static String write(Expression expression) {
		if (expression instanceof J.Parentheses<?> parentheses && parentheses.getTree() instanceof Expression inner) {
			return write(inner);
		}
		if (expression instanceof J.Binary binary && binary.getOperator() == J.Binary.Type.Addition) {
			return write(binary.getLeft()) + write(binary.getRight());
		}
		@Nullable String constant = (expression instanceof J.Identifier name) ? nameOf(name.getFieldType())
				: (expression instanceof J.FieldAccess access) ? nameOf(access.getName().getFieldType()) : null;
		if (constant != null) {
			return '\u0000' + constant + '\u0000';
		}
		@Nullable String text = Annotations.text(expression);
		return (text != null) ? text : expression.toString();
	}

	/**
	 * Replaces the references by the texts of the constants, as far as they are known.
	 */
	String resolve(String written) {
		String resolved = written;
		for (int depth = 0; depth < MAX_DEPTH && resolved.indexOf('\u0000') >= 0; depth++) {
			resolved = REFERENCE.matcher(resolved)
				.replaceAll(
						(found) -> Matcher.quoteReplacement(this.texts.getOrDefault(found.group(1), found.group())));
		}
		return resolved;
	}

	private static @Nullable String nameOf(JavaType.@Nullable Variable variable) {
		return (variable != null && variable.hasFlags(Flag.Static, Flag.Final)
				&& variable.getOwner() instanceof JavaType.FullyQualified owner)
						? owner.getFullyQualifiedName() + "." + variable.getName() : null;
	}

}
