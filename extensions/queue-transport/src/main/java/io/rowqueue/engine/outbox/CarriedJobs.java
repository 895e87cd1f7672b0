package io.rowqueue.engine.outbox;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.rowqueue.EnqueueResult;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.enqueue.Carriage;
import io.rowqueue.engine.job.NewJob;
import io.rowqueue.transport.JobTransport;
import org.jspecify.annotations.Nullable;

/**
 * Decides which new jobs a broker carries: plain ones of the types that it was configured
 * for. A job that asks for anything that a broker cannot do is stored in the table of
 * jobs.
 */
public final class CarriedJobs implements Carriage, AutoCloseable {

	private static final int MAX_BYTES_PER_CHARACTER = 3;

	private final OutboxStatement statement;

	/** {@code null}: all jobs that are carried are stored in the outbox. */
	private final @Nullable DirectPublication direct;

	private final JobTransport transport;

	private final Set<String> types;

	private final long maxPayloadBytes;

	/**
	 * Creates the decision.
	 * @param databases the database
	 * @param transport the broker
	 */
	public CarriedJobs(QueueDatabases databases, JobTransport transport) {
		this.statement = new OutboxStatement(databases.application());
		this.direct = transport.settings().direct()
				? new DirectPublication(transport, this.statement, new ReservedIdStore(databases.worker())) : null;
		this.transport = transport;
		this.types = transport.settings().carryNewJobs() ? Set.copyOf(transport.types()) : Set.of();
		this.maxPayloadBytes = transport.settings().maxPayloadSize().toBytes();
	}

	@Override
	public Optional<String> carrierOf(String type) {
		return this.transport.types().contains(type) ? Optional.of(this.transport.name()) : Optional.empty();
	}

	@Override
	public String describe() {
		return new TreeSet<>(this.transport.types()).stream()
			.map((type) -> "'" + type + "'" + held(type))
			.collect(Collectors.joining(", ", " Or it waits to be published, or is carried by " + this.transport.name()
					+ ", as plain jobs of these types are: ", "."));
	}

	private String held(String type) {
		OptionalLong lag = this.transport.lag(type);
		return lag.isPresent() ? " (" + lag.getAsLong() + " jobs there)" : "";
	}

	@Override
	public boolean isEmpty() {
		return this.types.isEmpty();
	}

	@Override
	public boolean contains(NewJob job) {
		return !isEmpty() && this.types.contains(job.request().type()) && isPlain(job.request()) && !job.hasLabels()
				&& isShort(job);
	}

	@Override
	public boolean containsAllOrNone(List<NewJob> jobs) {
		return isEmpty() || jobs.stream().allMatch(this::contains) || jobs.stream().noneMatch(this::contains);
	}

	@Override
	public @Nullable EnqueueResult publish(NewJob job, Consumer<Runnable> committed) {
		Long id = (this.direct != null) ? this.direct.publish(job, committed) : null;
		return (id != null) ? new EnqueueResult(id, Outcome.CREATED) : null;
	}

	@Override
	public void refuseToAwait(long jobId) {
		if (this.statement.contains(jobId)) {
			throw new JobQueueException(("Job %s is carried by %s, and nothing in the database shows when it ends."
					+ " Enqueue jobs that are awaited with JobRequest.inDatabase()")
				.formatted(jobId, this.transport.name()));
		}
	}

	@Override
	public void close() {
		if (this.direct != null) {
			this.direct.close();
		}
	}

	private static boolean isPlain(JobRequest request) {
		return request.runAt() == null && request.delay().isZero() && request.tolerance().isZero()
				&& request.priority() == 0 && request.unique() == null && request.limitKey() == null
				&& request.window() == null && request.predecessors().ids().isEmpty() && !request.isInDatabase();
	}

	private boolean isShort(NewJob job) {
		String payload = job.payload();
		return payload == null || (long) payload.length() * MAX_BYTES_PER_CHARACTER <= this.maxPayloadBytes
				|| payload.getBytes(StandardCharsets.UTF_8).length <= this.maxPayloadBytes;
	}

	@Override
	public List<EnqueueResult> store(List<NewJob> jobs, Function<List<NewJob>, List<EnqueueResult>> others) {
		List<Integer> carried = new ArrayList<>(jobs.size());
		List<Integer> stored = new ArrayList<>();
		for (int i = 0; i < jobs.size(); i++) {
			(contains(jobs.get(i)) ? carried : stored).add(i);
		}
		if (carried.isEmpty()) {
			return others.apply(jobs);
		}
		@Nullable EnqueueResult[] results = new EnqueueResult[jobs.size()];
		List<Long> ids = this.statement.insert(carried.stream().map(jobs::get).toList());
		for (int i = 0; i < ids.size(); i++) {
			results[carried.get(i)] = new EnqueueResult(ids.get(i), Outcome.CREATED);
		}
		if (!stored.isEmpty()) {
			List<EnqueueResult> rest = others.apply(stored.stream().map(jobs::get).toList());
			for (int i = 0; i < rest.size(); i++) {
				results[stored.get(i)] = rest.get(i);
			}
		}
		return List.of(results).stream().map(Objects::requireNonNull).toList();
	}

}
