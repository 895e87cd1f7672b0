package io.rowqueue.engine.enqueue;

import java.util.Optional;

import io.rowqueue.engine.signal.SignalStore;
import io.rowqueue.engine.signal.SignalStore.Receiver;
import io.rowqueue.engine.signal.SignalStore.Sent;
import io.rowqueue.engine.support.RequestChecks;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.step.SignalResult;
import org.jspecify.annotations.Nullable;

/** Sends signals to jobs. */
final class Signals {

	private final SignalStore store;

	private final PayloadWriter payloads;

	Signals(SignalStore store, PayloadWriter payloads) {
		this.store = store;
		this.payloads = payloads;
	}

	SignalResult send(long jobId, String name, @Nullable Object payload, Arrivals.Builder arrivals) {
		return send(this.store.find(jobId), name, payload, arrivals);
	}

	SignalResult send(String uniqueKey, String name, @Nullable Object payload, Arrivals.Builder arrivals) {
		RequestChecks.present("uniqueKey", uniqueKey);
		return send(this.store.find(uniqueKey), name, payload, arrivals);
	}

	private SignalResult send(Optional<Receiver> receiver, String name, @Nullable Object payload,
			Arrivals.Builder arrivals) {
		RequestChecks.name("the name of a signal", name);
		if (receiver.isEmpty()) {
			return SignalResult.NO_SUCH_JOB;
		}
		Receiver job = receiver.get();
		Sent sent = this.store.send(job.id(), name, this.payloads.signal(payload, job.type()));
		if (sent.resumed() != null) {
			arrivals.add(sent.resumed());
		}
		return sent.result();
	}

}
