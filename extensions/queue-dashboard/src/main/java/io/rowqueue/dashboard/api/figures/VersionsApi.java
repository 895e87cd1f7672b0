package io.rowqueue.dashboard.api.figures;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import io.rowqueue.dashboard.api.FigureReaders;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.api.Resource;
import io.rowqueue.dashboard.http.ApiCall;
import io.rowqueue.dashboard.http.Route;
import io.rowqueue.engine.figures.Counts;
import io.rowqueue.engine.figures.FigureRange;
import io.rowqueue.engine.figures.ProcessRecord;
import io.rowqueue.engine.figures.Tally;
import org.jspecify.annotations.Nullable;

/** The versions of the application of the last week, and two of them compared. */
public final class VersionsApi implements Resource {

	private static final Duration WEEK = Duration.ofDays(7);

	private static final int MAX_PROCESSES = 2000;

	private static final int MAX_TYPES = 100;

	private final Reads reads;

	private final FigureReaders figures;

	/**
	 * Creates the resource.
	 * @param reads reads in a transaction
	 * @param figures reads figures
	 */
	public VersionsApi(Reads reads, FigureReaders figures) {
		this.reads = reads;
		this.figures = figures;
	}

	@Override
	public List<Route> routes() {
		return List.of(Route.get("versions", this::versions, "a", "b"));
	}

	/** Without parameters the two latest are compared. */
	private Versions versions(ApiCall call) {
		return this.reads.read((at) -> {
			List<Version> versions = versions(at);
			String newer = Objects.requireNonNullElseGet(call.parameters().one("b"), () -> name(versions, 0));
			String older = Objects.requireNonNullElseGet(call.parameters().one("a"), () -> name(versions, 1));
			return new Versions(at, versions, older, newer, compared(older, newer, at.minus(WEEK)));
		});
	}

	private static String name(List<Version> versions, int index) {
		return (index < versions.size()) ? versions.get(index).version() : "";
	}

	private List<Version> versions(Instant at) {
		Map<String, Version> versions = new LinkedHashMap<>();
		for (ProcessRecord process : this.figures.processes().ranSince(at.minus(WEEK), MAX_PROCESSES)) {
			versions.merge(process.info().version(),
					new Version(process.info().version(), process.startedAt(), process.startedAt(), 1,
							(process.endedAt() == null) ? 1 : 0, "lost".equals(process.how()) ? 1 : 0,
							process.succeeded(), process.failed()),
					Version::plus);
		}
		return versions.values().stream().sorted(Comparator.comparing(Version::firstAt).reversed()).toList();
	}

	private List<ComparedType> compared(String older, String newer, Instant from) {
		List<String> types = this.figures.tallies().types(MAX_TYPES);
		Map<String, Map<String, Counts>> counts = new TreeMap<>();
		for (Tally tally : this.figures.tallies().ofTypes(types, FigureRange.WEEK, from)) {
			counts.computeIfAbsent(tally.name(), (name) -> new TreeMap<>())
				.merge(tally.version(), tally.counts(), Counts::plus);
		}
		List<ComparedType> compared = new ArrayList<>();
		counts.forEach((type, byVersion) -> {
			Counts before = byVersion.get(older);
			Counts after = byVersion.get(newer);
			if (before != null || after != null) {
				compared.add(new ComparedType(type, VersionFigures.of(before), VersionFigures.of(after)));
			}
		});
		return compared;
	}

	record Versions(Instant at, List<Version> items, String a, String b, List<ComparedType> types) {

	}

	record Version(String version, Instant firstAt, Instant lastAt, int processes, int running, int lost,
			long succeeded, long failed) {

		Version plus(Version other) {
			return new Version(this.version, earlier(this.firstAt, other.firstAt), later(this.lastAt, other.lastAt),
					this.processes + other.processes, this.running + other.running, this.lost + other.lost,
					this.succeeded + other.succeeded, this.failed + other.failed);
		}

		private static Instant earlier(Instant one, Instant other) {
			return one.isBefore(other) ? one : other;
		}

		private static Instant later(Instant one, Instant other) {
			return one.isAfter(other) ? one : other;
		}

	}

	record ComparedType(String type, @Nullable VersionFigures a, @Nullable VersionFigures b) {

	}

	/**
	 * What a version did.
	 *
	 * @param attempts how many attempts ended
	 * @param failures how many of them failed
	 */
	record VersionFigures(long attempts, long failures, @Nullable Double runP50Ms, @Nullable Double runP95Ms) {

		static @Nullable VersionFigures of(@Nullable Counts counts) {
			return (counts == null) ? null : new VersionFigures(counts.attempts(), counts.failures(),
					percentile(counts, 0.5), percentile(counts, 0.95));
		}

		private static @Nullable Double percentile(Counts counts, double share) {
			double millis = counts.runs().percentile(share);
			return (millis < 0) ? null : millis;
		}

	}

}
