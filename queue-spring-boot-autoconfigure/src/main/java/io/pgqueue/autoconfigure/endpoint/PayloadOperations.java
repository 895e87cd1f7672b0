package io.pgqueue.autoconfigure.endpoint;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import io.pgqueue.admin.JobEditor;
import io.pgqueue.admin.WrittenJob;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

/**
 * Changes and enqueues jobs with payloads that people wrote. What is recorded of a
 * payload is its length and a hash, by which two of them can be compared.
 */
public final class PayloadOperations {

	private final JobEditor editor;

	private final QueueOperations operations;

	/**
	 * Creates the operations.
	 * @param editor changes and enqueues jobs
	 * @param operations records each operation
	 */
	public PayloadOperations(JobEditor editor, QueueOperations operations) {
		this.editor = editor;
		this.operations = operations;
	}

	/** Replaces the payload of a waiting job. */
	public OperationResult edit(long id, String payload, @Nullable String revision, @Nullable String reason,
			Caller caller) {
		return perform("edit", String.valueOf(id), payload, reason, caller,
				() -> switch (this.editor.edit(id, payload, revision)) {
					case EDITED -> OperationResult.done("its payload was replaced");
					case CHANGED -> OperationResult.changed();
					case NOT_WAITING -> OperationResult.conflict("there is no such job, or it does not wait");
				});
	}

	/** Enqueues a job like another one. */
	public OperationResult replay(long id, @Nullable String payload, @Nullable String reason, Caller caller) {
		return perform("replay", String.valueOf(id), payload, reason, caller,
				() -> this.editor.replay(id, payload)
					.map(OperationResult::enqueued)
					.orElseGet(() -> OperationResult.notFound("there is no such job, or it is no longer kept")));
	}

	/** Enqueues a job. */
	public OperationResult enqueue(WrittenJob job, @Nullable String reason, Caller caller) {
		return perform("enqueue", job.type(), job.payload(), reason, caller,
				() -> OperationResult.enqueued(this.editor.enqueue(job)));
	}

	/** Sends a signal to a job. */
	public OperationResult signal(long id, String name, @Nullable String payload, @Nullable String reason,
			Caller caller) {
		return perform("signal", String.valueOf(id), payload, reason, caller,
				() -> switch (this.editor.signal(id, name, payload)) {
					case STORED -> OperationResult.done("the signal was sent");
					case ALREADY_SENT -> OperationResult.of(false, "", "this signal was sent before");
					case TOO_LATE -> OperationResult.conflict("the job has continued without this signal");
					case NO_SUCH_JOB -> OperationResult.notFound("there is no such job, or it has finished");
				}, Map.of("signal", name));
	}

	private OperationResult perform(String action, String name, @Nullable String payload, @Nullable String reason,
			Caller caller, Supplier<OperationResult> work) {
		return perform(action, name, payload, reason, caller, work, Map.of());
	}

	private OperationResult perform(String action, String name, @Nullable String payload, @Nullable String reason,
			Caller caller, Supplier<OperationResult> work, Map<String, String> more) {
		String kind = action.equals("enqueue") ? "types" : "jobs";
		OperationRequest request = new OperationRequest(kind, name, action, reason, null, null, null);
		request.givenReason();
		Map<String, String> parameters = new LinkedHashMap<>(more);
		if (payload != null) {
			parameters.put("payload", fingerprint(payload));
		}
		return this.operations.perform(request, parameters, caller, () -> attempt(work));
	}

	private static OperationResult attempt(Supplier<OperationResult> work) {
		try {
			return work.get();
		}
		catch (IllegalArgumentException ex) {
			return OperationResult.invalid(String.valueOf(ex.getMessage()));
		}
		catch (DataAccessException ex) {
			return OperationResult.unavailable(ex);
		}
	}

	private static String fingerprint(String payload) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(payload.getBytes(StandardCharsets.UTF_8));
			return "sha256 " + HexFormat.of().formatHex(digest) + ", " + payload.length() + " characters";
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java has SHA-256", ex);
		}
	}

}
