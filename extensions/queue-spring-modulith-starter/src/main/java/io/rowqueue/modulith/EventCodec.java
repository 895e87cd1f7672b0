package io.rowqueue.modulith;

import java.util.Objects;

import io.rowqueue.JobQueueException;
import io.rowqueue.PayloadCodec;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.TokenBuffer;

/** Converts events to payloads and back. */
final class EventCodec {

	private final PayloadCodec codec;

	private final ClassLoader classLoader;

	EventCodec(PayloadCodec codec, @Nullable ClassLoader classLoader) {
		this.codec = codec;
		this.classLoader = (classLoader != null) ? classLoader : EventCodec.class.getClassLoader();
	}

	PublishedEvent write(Object event, String jobType) {
		String json = this.codec.write(event, jobType);
		return new PublishedEvent(event.getClass().getName(),
				JsonMapper.shared().readValue(Objects.requireNonNullElse(json, "null"), TokenBuffer.class));
	}

	/**
	 * Reads an event. Only a class that the listener accepts is instantiated, whatever
	 * the database contains.
	 */
	Object read(PublishedEvent published, Class<?> accepted, String jobType) throws ClassNotFoundException {
		Class<?> type = ClassUtils.forName(published.type(), this.classLoader);
		if (!accepted.isAssignableFrom(type)) {
			throw new JobQueueException("The listener " + jobType + " accepts " + accepted.getName() + ", not "
					+ type.getName() + ". If its signature was changed, cancel the job or restore the signature.");
		}
		String json = JsonMapper.shared().writeValueAsString(published.event());
		return Objects.requireNonNull(this.codec.read(json, type, jobType));
	}

}
