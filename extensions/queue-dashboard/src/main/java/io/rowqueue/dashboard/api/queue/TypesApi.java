package io.rowqueue.dashboard.api.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

import io.rowqueue.HandlerOptions;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.WorkerView;
import io.rowqueue.control.Pause;
import io.rowqueue.dashboard.api.ActionRoutes;
import io.rowqueue.dashboard.api.Count;
import io.rowqueue.dashboard.api.Maskers;
import io.rowqueue.dashboard.api.QueueReaders;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.api.Resource;
import io.rowqueue.dashboard.api.Views.Lane;
import io.rowqueue.dashboard.api.Views.LimitValue;
import io.rowqueue.dashboard.api.Views.PauseInfo;
import io.rowqueue.dashboard.api.Views.Worker;
import io.rowqueue.dashboard.api.figures.LatestRates;
import io.rowqueue.dashboard.api.figures.Rates;
import io.rowqueue.dashboard.http.ApiCall;
import io.rowqueue.dashboard.http.Problem;
import io.rowqueue.dashboard.http.Route;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.handler.RegisteredHandler;
import io.rowqueue.engine.measure.Figure;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.limit.LimitView;
import io.rowqueue.masking.TextMasker;
import org.jspecify.annotations.Nullable;

/** The types of jobs. */
public final class TypesApi implements Resource {

	private final Reads reads;

	private final QueueReaders readers;

	private final Maskers maskers;

	private final ActionRoutes actions;

	private final Supplier<HandlerRegistry> handlers;

	private final PayloadContracts payloads;

	private final LatestRates rates;

	/**
	 * Creates the resource.
	 * @param reads reads in a transaction
	 * @param readers reads the queue
	 * @param maskers decides what is shown
	 * @param actions changes types
	 * @param handlers the handlers of this process
	 */
	public TypesApi(Reads reads, QueueReaders readers, Maskers maskers, ActionRoutes actions,
			Supplier<HandlerRegistry> handlers) {
		this.reads = reads;
		this.readers = readers;
		this.maskers = maskers;
		this.actions = actions;
		this.handlers = handlers;
		this.payloads = new PayloadContracts(() -> handlers.get().codec(), TypesApi.class.getClassLoader());
		this.rates = new LatestRates(readers.figures().tallies());
	}

	@Override
	public List<Route> routes() {
		return List.of(Route.get("types", this::all), Route.get("types/{name}", this::one),
				this.actions.post("types/{name}", "name", "types", QueuesApi.ACTIONS, (action,
						name) -> action.equals("retry") && this.readers.areManyFailed(JobFilter.builder().type(name))));
	}

	private Types all(ApiCall call) {
		TextMasker masker = this.maskers.of(call);
		return this.reads.read((at) -> {
			Snapshot snapshot = snapshot(at);
			return new Types(at, snapshot.names().stream().map((name) -> snapshot.type(name, masker)).toList());
		});
	}

	private TypeDetail one(ApiCall call) {
		String name = call.name("name");
		TextMasker masker = this.maskers.of(call);
		PayloadContract payload = this.handlers.get().find(name).map(this.payloads::of).orElse(null);
		return this.reads.read((at) -> {
			Snapshot snapshot = snapshot(at);
			if (!snapshot.names().contains(name)) {
				throw Problem.Kind.NOT_FOUND.because("Nothing is known of a type of this name.");
			}
			QueueOverview overview = this.readers.overview();
			return new TypeDetail(at, snapshot.type(name, masker), payload,
					overview.lanes(null, name).stream().map(Lane::of).toList(),
					Worker.listed(snapshot.workers.stream().filter((worker) -> runs(worker, name)).toList(),
							this.readers.figures().processes()));
		});
	}

	private Snapshot snapshot(Instant at) {
		Snapshot found = new Snapshot(Measured.of(this.readers.measurements().get(), at),
				List.copyOf(this.handlers.get().handlers()), this.readers.overview().workers(QueueOverview.MAX_WORKERS),
				this.readers.jobs().pauses(), this.readers.limits().list(), Map.of());
		return new Snapshot(found.measured, found.handlers, found.workers, found.pauses, found.limits,
				this.rates.ofTypes(found.names(), at));
	}

	private static boolean runs(WorkerView worker, String type) {
		return worker.deadAt() == null && worker.types().contains(type);
	}

	/** What is known of all types at a time. */
	private record Snapshot(Measured measured, List<RegisteredHandler> handlers, List<WorkerView> workers,
			List<Pause> pauses, List<LimitView> limits, Map<String, Rates> rates) {

		Set<String> names() {
			Set<String> names = new TreeSet<>();
			this.handlers.forEach((handler) -> names.add(handler.type()));
			this.workers.stream()
				.filter((worker) -> worker.deadAt() == null)
				.forEach((worker) -> names.addAll(worker.types()));
			this.pauses.stream()
				.filter((pause) -> pause.kind().equals(Pause.TYPE))
				.map(Pause::name)
				.forEach(names::add);
			names.addAll(this.measured.unhandledTypes());
			this.limits.stream()
				.filter((limit) -> limit.kind() == LimitKind.TYPE)
				.map(LimitView::name)
				.forEach(names::add);
			for (Figure figure : this.measured.named(Figure.JOBS_OF_TYPE)) {
				if (figure.text() != null) {
					names.add(figure.text());
				}
			}
			return names;
		}

		TypeInfo type(String name, TextMasker masker) {
			Optional<RegisteredHandler> handler = this.handlers.stream()
				.filter((each) -> each.type().equals(name))
				.findFirst();
			return new TypeInfo(name, this.measured.countsOfType(name),
					handler.map(RegisteredHandler::description).orElse(null),
					handler.map((each) -> TypeOptions.of(each.options())).orElse(null),
					(int) this.workers.stream().filter((worker) -> runs(worker, name)).count(), unhandled(name),
					this.pauses.stream()
						.filter((each) -> each.kind().equals(Pause.TYPE) && each.name().equals(name))
						.findFirst()
						.map((pause) -> PauseInfo.of(pause, masker))
						.orElse(null),
					this.limits.stream()
						.filter((each) -> each.kind() == LimitKind.TYPE && each.name().equals(name))
						.findFirst()
						.map((limit) -> LimitValue.of(limit.limit()))
						.orElse(null),
					this.rates.get(name));
		}

		/** How many of its measured jobs wait in queues for which no worker runs it. */
		private @Nullable Count unhandled(String type) {
			Count waiting = this.measured.unhandled(type);
			return (waiting.value() > 0) ? waiting : null;
		}

	}

	record Types(Instant at, List<TypeInfo> items) {

	}

	record TypeDetail(Instant at, TypeInfo type, @Nullable PayloadContract payload, List<Lane> lanes,
			List<Worker> workers) {

	}

	/**
	 * What payloads of a type look like.
	 *
	 * @param type the type of the handler's parameter, or of the elements of its list
	 * @param schema the JSON Schema of it
	 * @param reason why there is no schema
	 */
	record PayloadContract(String type, @Nullable String schema, @Nullable String reason) {

	}

	record TypeInfo(String name, Map<String, Count> jobs, @Nullable String handler, @Nullable TypeOptions options,
			int workers, @Nullable Count unhandled, @Nullable PauseInfo pause, @Nullable LimitValue limit,
			@Nullable Rates rates) {

	}

	record TypeOptions(@Nullable Integer maxAttempts, @Nullable Long timeoutMs, @Nullable String retry,
			@Nullable Integer concurrency, boolean transactional, boolean keepResult, @Nullable Integer coalesce,
			@Nullable String window) {

		static TypeOptions of(HandlerOptions options) {
			Duration timeout = options.timeout();
			return new TypeOptions(options.maxAttempts(), (timeout != null) ? Long.valueOf(timeout.toMillis()) : null,
					(options.retry() != null) ? options.retry().getClass().getSimpleName() : null,
					options.concurrency(), options.transactional(), options.keepResult(),
					(options.coalescing() != null) ? Integer.valueOf(options.coalescing().maxJobs()) : null,
					options.window());
		}

	}

}
