package io.rowqueue.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The arguments of a command line that have not been read yet. */
public final class Arguments {

	private final List<String> words;

	/**
	 * Takes the words.
	 * @param words as the shell gave them
	 */
	public Arguments(String... words) {
		this.words = new ArrayList<>(List.of(words));
	}

	/** Returns whether the only argument asks for help. */
	public static boolean askForHelp(String... words) {
		return List.of(words).equals(List.of("--help"));
	}

	/** Whether a word is there. */
	public boolean flag(String name) {
		return this.words.remove(name);
	}

	/**
	 * The word after a name, the first one if there are several.
	 * @throws IllegalArgumentException if the name is the last word
	 */
	public Optional<String> value(String name) {
		int at = this.words.indexOf(name);
		if (at < 0) {
			return Optional.empty();
		}
		if (at + 1 == this.words.size()) {
			throw new IllegalArgumentException(name + " needs a value");
		}
		this.words.remove(at);
		return Optional.of(this.words.remove(at));
	}

	/** The parts of a value that are separated by commas. */
	public Optional<List<String>> list(String name) {
		return value(name).map((value) -> List.of(value.split(",", -1)));
	}

	/**
	 * All has been asked for.
	 * @throws IllegalArgumentException if a word is left
	 */
	public void end() {
		if (!this.words.isEmpty()) {
			throw new IllegalArgumentException("What is '" + this.words.get(0) + "'?");
		}
	}

}
