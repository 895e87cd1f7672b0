package io.rowqueue.dashboard.api.operation;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.rowqueue.admin.operation.BulkProgress;
import io.rowqueue.admin.operation.Operations.Filter;
import io.rowqueue.admin.operation.RecordedOperation;
import io.rowqueue.dashboard.api.Maskers;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.api.Resource;
import io.rowqueue.dashboard.api.Views.PageInfo;
import io.rowqueue.dashboard.http.ApiCall;
import io.rowqueue.dashboard.http.Parameters;
import io.rowqueue.dashboard.http.Problem;
import io.rowqueue.dashboard.http.Route;
import io.rowqueue.masking.TextMasker;
import org.jspecify.annotations.Nullable;

/** What people did to the queue. */
public final class OperationsApi implements Resource {

	private static final int PAGE = 50;

	private final Reads reads;

	/** What operations are done to. */
	private static final Set<String> KINDS = Set.of("jobs", "queues", "types", "keys", "schedules", "windows", "flows",
			"batches", "workers", "operations", "errors");

	private final io.rowqueue.admin.operation.Operations operations;

	private final Maskers maskers;

	/**
	 * Creates the resource.
	 * @param reads reads in a transaction
	 * @param operations reads the records
	 * @param maskers decides what is shown of filters
	 */
	public OperationsApi(Reads reads, io.rowqueue.admin.operation.Operations operations, Maskers maskers) {
		this.reads = reads;
		this.operations = operations;
		this.maskers = maskers;
	}

	@Override
	public List<Route> routes() {
		return List.of(Route.get("operations", this::operations, "cursor", "who", "action", "kind", "name"),
				Route.get("operations/{id}", this::operation));
	}

	private Operations operations(ApiCall call) {
		Parameters parameters = call.parameters();
		String name = parameters.one("name");
		if (name != null && parameters.one("kind") == null) {
			throw Problem.invalid("name", "needs the kind of what it names");
		}
		String kind = parameters.one("kind");
		if (kind != null && !KINDS.contains(kind)) {
			throw Problem.invalid("kind", "must be one of " + String.join(", ", new TreeSet<>(KINDS)));
		}
		String key = "keys".equals(kind) ? name : null;
		if (key != null && key.indexOf(':') >= 0) {
			call.needPayloads(); // otherwise keys that are masked could be guessed
		}
		TextMasker masker = this.maskers.of(call);
		Filter filter = Filter.of(kind, name).who(parameters.one("who")).action(parameters.one("action"));
		long before = parameters.number("cursor", Long.MAX_VALUE, 1, Long.MAX_VALUE);
		return this.reads.read((at) -> {
			List<RecordedOperation> found = this.operations.list(filter, before, PAGE);
			String next = (found.size() == PAGE) ? String.valueOf(found.get(PAGE - 1).id()) : null;
			// a key without a colon is only found by its name where that is shown
			return new Operations(at,
					found.stream()
						.map((each) -> Operation.of(each, masker))
						.filter((each) -> key == null || key.equals(each.name()))
						.toList(),
					new PageInfo(next));
		});
	}

	private OperationDetail operation(ApiCall call) {
		long id = call.id();
		TextMasker masker = this.maskers.of(call);
		return this.reads.read((at) -> this.operations.find(id)
			.map((found) -> new OperationDetail(at, Operation.of(found, masker)))
			.orElseThrow(() -> Problem.Kind.NOT_FOUND.because("There is no such operation, or it is no longer kept.")));
	}

	record Operations(Instant at, List<Operation> items, PageInfo page) {

	}

	record OperationDetail(Instant at, Operation operation) {

	}

	record Operation(long id, Instant at, String who, String via, @Nullable String address, String action, String kind,
			@Nullable String name, @Nullable String reason, String state, @Nullable Long selected, long done,
			long skipped, @Nullable String message, @Nullable Instant endedAt, @Nullable BulkInfo bulk) {

		static Operation of(RecordedOperation recorded, TextMasker masker) {
			RecordedOperation found = recorded.masked(masker);
			BulkProgress bulk = found.bulk();
			return new Operation(found.id(), found.at(), found.who(), found.via(), found.address(), found.action(),
					found.kind(), found.name().isEmpty() ? null : found.name(), found.reason(), found.state().label(),
					(bulk != null) ? bulk.selected() : null, (found.jobs() != null) ? found.jobs() : 0,
					(bulk != null) ? bulk.skipped() : 0, found.message(), found.endedAt(),
					(bulk != null) ? new BulkInfo(bulk.filter(), bulk.selectedAt(), bulk.touchedAt()) : null);
		}

	}

	/** What an operation on all jobs of a filter is at work on. */
	record BulkInfo(String filter, @Nullable Instant selectedAt, @Nullable Instant touchedAt) {

	}

}
