package com.example.shop;

import io.rowqueue.JobRequest;
import io.rowqueue.test.autoconfigure.RecordJobs;
import io.rowqueue.test.recording.RecordingJobQueue;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@RecordJobs
class ShopTests {

	@Autowired
	Shop shop;

	@Autowired
	Reminders reminders;

	@Autowired
	RecordingJobQueue jobs;

	@Test
	void anOrderIsConfirmed() {
		this.shop.order();
		assertThat(this.jobs.requests()).extracting(JobRequest::type).containsExactly("order-mail");
	}

	@Test
	void aReminderIsEnqueuedByKotlinCode() {
		this.reminders.remind(42);
		assertThat(this.jobs.requests()).extracting(JobRequest::type).containsExactly("reminder");
	}

}
