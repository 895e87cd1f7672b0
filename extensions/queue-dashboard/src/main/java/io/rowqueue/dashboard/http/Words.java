package io.rowqueue.dashboard.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.rowqueue.dashboard.DashboardRights;
import io.rowqueue.dashboard.Level;

/** What the API calls levels. */
public final class Words {

	/** The right to see payloads. */
	public static final String PAYLOADS = "payloads";

	private Words() {
	}

	/** Returns the name of a level. */
	public static String of(Level level) {
		return level.name().toLowerCase(Locale.ROOT);
	}

	/** Returns the names of all rights of a caller. */
	public static List<String> of(DashboardRights rights) {
		List<String> words = new ArrayList<>();
		for (Level level : Level.values()) {
			if (level != Level.NONE && rights.level().includes(level)) {
				words.add(of(level));
			}
		}
		if (rights.payloads()) {
			words.add(PAYLOADS);
		}
		return words;
	}

}
