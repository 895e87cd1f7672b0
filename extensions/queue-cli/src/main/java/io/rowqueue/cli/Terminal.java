package io.rowqueue.cli;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The terminal that shows the output of the process, if one does: its size, and the keys
 * that are pressed.
 */
final class Terminal {

	/** It can be read, too, if it is a terminal. */
	private static final File OUTPUT = new File("/dev/stdout");

	private final @Nullable InputStream keys;

	private Terminal(@Nullable InputStream keys) {
		this.keys = keys;
	}

	/**
	 * Takes keys one by one, without showing them, until the process ends.
	 */
	static Terminal open() throws IOException, InterruptedException {
		String before = stty("-g");
		if (before == null) {
			return new Terminal(null);
		}
		Runtime.getRuntime().addShutdownHook(new Thread(() -> restore(before), "rowqueue-terminal"));
		// a read that finds no key returns after a fifth of a second
		stty("-icanon", "-echo", "min", "0", "time", "2");
		return new Terminal(new FileInputStream(OUTPUT));
	}

	private static void restore(String settings) {
		try {
			stty(settings);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Waits, and returns whether a key was pressed meanwhile. */
	boolean isPressed(char key, Duration wait) throws IOException, InterruptedException {
		if (this.keys == null) {
			Thread.sleep(wait.toMillis());
			return false;
		}
		long begin = System.nanoTime();
		while (System.nanoTime() - begin < wait.toNanos()) {
			if (this.keys.read() == key) {
				return true;
			}
		}
		return false;
	}

	/** Returns its size, which may have changed. */
	Screen screen() throws InterruptedException {
		String size = (this.keys != null) ? stty("size") : null;
		String[] numbers = (size != null) ? size.split(" ") : new String[0];
		return (numbers.length == 2 && !numbers[0].equals("0"))
				? new Screen(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1])) : Screen.ORDINARY;
	}

	/** Returns what stty prints; {@code null}: there is no terminal. */
	private static @Nullable String stty(String... arguments) throws InterruptedException {
		try {
			Process stty = new ProcessBuilder(Stream.concat(Stream.of("stty"), Stream.of(arguments)).toList())
				.redirectInput(OUTPUT)
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start();
			String printed = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
			return (stty.waitFor() == 0) ? printed : null;
		}
		catch (IOException ex) {
			return null; // on Windows, for example
		}
	}

	/**
	 * How many characters are shown.
	 *
	 * @param height the number of lines
	 * @param width the number of characters of a line
	 */
	record Screen(int height, int width) {

		static final Screen ENDLESS = new Screen(Integer.MAX_VALUE, Integer.MAX_VALUE);

		/** Without a terminal, and where its size is not known. */
		static final Screen ORDINARY = new Screen(24, 80);

	}

}
