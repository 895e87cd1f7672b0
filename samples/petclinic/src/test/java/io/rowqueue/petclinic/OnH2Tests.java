package io.rowqueue.petclinic;

import java.time.Duration;
import java.time.Instant;

import io.rowqueue.JobRequest;
import io.rowqueue.petclinic.visit.Appointments;
import io.rowqueue.test.autoconfigure.RecordJobs;
import io.rowqueue.test.recording.RecordingJobQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.security.test.context.support.WithMockUser;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;

/** Without PostgreSQL: everything but the jobs, which are recorded. */
@Tag("thorough")
@SpringBootTest(properties = { "petclinic.demo=false", "spring.datasource.url=jdbc:h2:mem:petclinic" })
@RecordJobs
@AutoConfigureMockMvc
@WithMockUser
class OnH2Tests {

	@Autowired
	Appointments appointments;

	@Autowired
	RecordingJobQueue jobs;

	@Autowired
	MockMvcTester http;

	@Test
	void remindersAreRecordedMovedAndCancelled() {
		Instant startsAt = Instant.now().plus(Duration.ofDays(10));
		long visit = this.appointments.book(1, startsAt, "Vaccination").requiredId();
		this.appointments.reschedule(visit, startsAt.plus(Duration.ofDays(1)));

		assertThat(this.jobs.requests()).singleElement()
			.extracting(JobRequest::type, JobRequest::runAt)
			.containsExactly("visit-reminder", startsAt);
		assertThat(this.http.get().uri("/visits")).hasStatusOk().bodyText().contains("Vaccination");

		this.appointments.cancel(visit);
		assertThat(this.jobs.requests()).isEmpty();
	}

}
