package io.rowqueue.test.recording;

import io.rowqueue.JobQueue;
import io.rowqueue.PayloadCodec;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.autoconfigure.disabled.QueueDisabledAutoConfiguration;
import io.rowqueue.engine.codec.JacksonPayloadCodec;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import tools.jackson.databind.json.JsonMapper;

/**
 * Auto-configuration of a queue that records jobs, in place of one that is switched off
 * and rejects them.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = QueueDisabledAutoConfiguration.class)
public final class RecordingQueueAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(JobQueue.class)
	RecordingJobQueue rowqueueRecordingJobQueue(ObjectProvider<PayloadCodec> codec, ObjectProvider<JsonMapper> mapper) {
		return new RecordingJobQueue(
				codec.getIfAvailable(() -> new JacksonPayloadCodec(mapper.getIfAvailable(JsonMapper::shared))));
	}

	@Bean
	@ConditionalOnMissingBean(JobAdmin.class)
	RecordingJobAdmin rowqueueRecordingJobAdmin(RecordingJobQueue queue) {
		return new RecordingJobAdmin(queue.recorded());
	}

}
