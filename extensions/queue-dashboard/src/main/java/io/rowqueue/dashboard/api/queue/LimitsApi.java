package io.rowqueue.dashboard.api.queue;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.rowqueue.dashboard.Level;
import io.rowqueue.dashboard.api.ActionBody;
import io.rowqueue.dashboard.api.ActionRoutes.Outcome;
import io.rowqueue.dashboard.api.ActionRoutes;
import io.rowqueue.dashboard.api.Maskers;
import io.rowqueue.dashboard.api.QueueReaders;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.api.Resource;
import io.rowqueue.dashboard.api.Text;
import io.rowqueue.dashboard.api.Views.LimitValue;
import io.rowqueue.dashboard.api.Views;
import io.rowqueue.dashboard.http.ApiCall;
import io.rowqueue.dashboard.http.Problem;
import io.rowqueue.dashboard.http.Route;
import io.rowqueue.limit.Hold;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.limit.LimitView;
import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.TextMasker;
import io.rowqueue.window.OpeningHours;
import io.rowqueue.window.Window;
import io.rowqueue.window.WindowStatus;
import org.jspecify.annotations.Nullable;

/** What bounds jobs: limits and windows. */
public final class LimitsApi implements Resource {

	private static final Map<String, Level> LIMIT_ACTIONS = Map.of("limit", Level.ADMIN, "unlimit", Level.ADMIN, "hold",
			Level.OPERATE, "release", Level.OPERATE);

	private static final Map<String, Level> HOLD_ACTIONS = Map.of("release", Level.OPERATE);

	private static final Map<String, Level> WEIGHT_ACTIONS = Map.of("weight", Level.ADMIN);

	private static final Map<String, Level> WINDOW_ACTIONS = Map.of("remove", Level.ADMIN);

	private static final Map<String, String> KINDS = Map.of("queue", "queues", "type", "types", "key", "keys");

	private final Reads reads;

	private final QueueReaders readers;

	private final Maskers maskers;

	private final ActionRoutes actions;

	/**
	 * Creates the resource.
	 * @param reads reads in a transaction
	 * @param readers reads limits and windows
	 * @param maskers decides what is shown of keys
	 * @param actions changes them
	 */
	public LimitsApi(Reads reads, QueueReaders readers, Maskers maskers, ActionRoutes actions) {
		this.reads = reads;
		this.readers = readers;
		this.maskers = maskers;
		this.actions = actions;
	}

	@Override
	public List<Route> routes() {
		return List.of(Route.get("limits", this::limits), Route.get("windows", (call) -> windows()),
				Route.post("limits/{kind}/{name}", Level.OPERATE, this::limit),
				Route.post("holds/{id}", Level.OPERATE, this::release),
				this.actions.post("weights/{name}", "name", "keys", WEIGHT_ACTIONS),
				this.actions.post("windows/{name}", "name", "windows", WINDOW_ACTIONS));
	}

	private Limits limits(ApiCall call) {
		TextMasker masker = this.maskers.of(call);
		JobLimits limits = this.readers.limits();
		return this.reads
			.read((at) -> new Limits(at, limits.list().stream().map((limit) -> LimitInfo.of(limit, masker)).toList(),
					HeldNow.of(limits.holds()).stream().map((held) -> HoldInfo.of(held, masker)).toList(),
					limits.weights().entrySet().stream().map((key) -> Weight.of(key, masker)).toList()));
	}

	private Windows windows() {
		return this.reads
			.read((at) -> new Windows(at, this.readers.windows().list().stream().map(WindowInfo::of).toList()));
	}

	private Outcome limit(ApiCall call) {
		String kind = KINDS.get(call.name("kind"));
		if (kind == null) {
			throw Problem.Kind.NOT_FOUND.because("Limits are those of a queue, a type or a key.");
		}
		String name = call.name("name");
		boolean tells = switch (ActionBody.of(call).action()) {
			case "release" -> true;
			case "unlimit" -> name.indexOf(':') >= 0;
			default -> false;
		};
		if (tells && kind.equals("keys")) {
			call.needPayloads(); // the answer says whether there is such a key
		}
		return this.actions.perform(call, kind, name, LIMIT_ACTIONS);
	}

	/** A caller who may not see the name of a key can release it all the same. */
	private Outcome release(ApiCall call) {
		String id = call.name("id");
		Hold hold = this.reads.read((at) -> HeldNow.of(this.readers.limits().holds()))
			.stream()
			.filter((held) -> held.id().equals(id))
			.map(HeldNow::hold)
			.findFirst()
			.orElseThrow(() -> Problem.Kind.NOT_FOUND.because("There is no such hold: it was released, or has ended."));
		return this.actions.perform(call, Objects.requireNonNull(KINDS.get(hold.kind().label())), hold.name(),
				HOLD_ACTIONS);
	}

	record Limits(Instant at, List<LimitInfo> items, List<HoldInfo> holds, List<Weight> weights) {

	}

	/** What is held for some time. */
	record HoldInfo(String id, String kind, Text name, Instant until, @Nullable String reason) {

		static HoldInfo of(HeldNow held, TextMasker masker) {
			Hold hold = held.hold();
			TextMasker ofName = (hold.kind() == LimitKind.KEY) ? masker : TextMasker.NONE;
			return new HoldInfo(held.id(), hold.kind().label(), Text.of(ofName, SensitiveText.LIMIT_KEY, hold.name()),
					hold.until(), masker.maskIfPresent(SensitiveText.PAUSE_REASON, hold.reason()));
		}

	}

	/** A fairness key with another weight than 1. */
	record Weight(Text key, int weight) {

		static Weight of(Map.Entry<String, Integer> key, TextMasker masker) {
			return new Weight(Text.of(masker, SensitiveText.LIMIT_KEY, key.getKey()), key.getValue());
		}

	}

	record LimitInfo(String kind, String name, LimitValue limit, boolean setManually, Instant changedAt,
			@Nullable Integer held, @Nullable Integer tokens) {

		static LimitInfo of(LimitView view, TextMasker masker) {
			return new LimitInfo(view.kind().label(), name(view, masker), LimitValue.of(view.limit()),
					view.setManually(), view.changedAt(), view.held(), view.tokens());
		}

		/** The name of a class of keys, which has no colon, is no text of a job. */
		private static String name(LimitView view, TextMasker masker) {
			boolean wholeKey = view.kind() == LimitKind.KEY && view.name().indexOf(':') >= 0;
			return wholeKey ? masker.mask(SensitiveText.LIMIT_KEY, view.name()) : view.name();
		}

	}

	record Windows(Instant at, List<WindowInfo> items) {

	}

	record WindowInfo(String name, String zone, List<String> times, String closing, List<String> queues,
			List<String> types, boolean open, Instant openFrom, Instant openUntil, boolean declared) {

		static WindowInfo of(WindowStatus status) {
			Window window = status.window();
			return new WindowInfo(window.name(), window.zone().getId(),
					window.times().stream().map(OpeningHours::toString).toList(), Views.label(window.closing()),
					window.queues().stream().sorted().toList(),
					Stream.concat(window.types().stream(), status.handlerTypes().stream()).distinct().sorted().toList(),
					status.open(), status.openFrom(), status.openUntil(), status.declared());
		}

	}

}
