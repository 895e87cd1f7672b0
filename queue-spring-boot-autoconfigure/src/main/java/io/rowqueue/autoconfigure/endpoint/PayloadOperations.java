package io.rowqueue.autoconfigure.endpoint;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Supplier;

import io.rowqueue.admin.JobEditor;
import io.rowqueue.admin.WrittenJob;
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
		return perform(onJob(id, "edit", payload, reason), caller,
				() -> switch (this.editor.edit(id, payload, revision)) {
					case EDITED -> OperationResult.done("its payload was replaced");
					case CHANGED -> OperationResult.changed();
					case NOT_WAITING -> OperationResult.conflict("there is no such job, or it does not wait");
				});
	}

	/** Enqueues a job like another one. */
	public OperationResult replay(long id, @Nullable String payload, @Nullable String reason, Caller caller) {
		return perform(onJob(id, "replay", payload, reason), caller,
				() -> this.editor.replay(id, payload)
					.map(OperationResult::enqueued)
					.orElseGet(() -> OperationResult.notFound("there is no such job, or it is no longer kept")));
	}

	/** Enqueues a job. */
	public OperationResult enqueue(WrittenJob job, @Nullable String reason, Caller caller) {
		return perform(request("types", job.type(), "enqueue", job.payload(), reason), caller,
				() -> OperationResult.enqueued(this.editor.enqueue(job)));
	}

	/** Sends a signal to a job. */
	public OperationResult signal(long id, String name, @Nullable String payload, @Nullable String reason,
			Caller caller) {
		return perform(onJob(id, "signal", payload, reason).with("signal", name), caller,
				() -> switch (this.editor.signal(id, name, payload)) {
					case STORED -> OperationResult.done("the signal was sent");
					case ALREADY_SENT -> OperationResult.of(false, "", "this signal was sent before");
					case TOO_LATE -> OperationResult.conflict("the job has continued without this signal");
					case NO_SUCH_JOB -> OperationResult.notFound("there is no such job, or it has finished");
				});
	}

	private static OperationRequest onJob(long id, String action, @Nullable String payload, @Nullable String reason) {
		return request("jobs", String.valueOf(id), action, payload, reason);
	}

	private static OperationRequest request(String kind, String name, String action, @Nullable String payload,
			@Nullable String reason) {
		return OperationRequest.of(kind, name, action)
			.with("reason", reason)
			.with("payload", (payload != null) ? fingerprint(payload) : null);
	}

	private OperationResult perform(OperationRequest request, Caller caller, Supplier<OperationResult> work) {
		request.reason(); // rejects one that is too long
		return this.operations.perform(request, caller, () -> attempt(work));
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
