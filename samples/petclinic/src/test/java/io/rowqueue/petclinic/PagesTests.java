package io.rowqueue.petclinic;

import java.time.LocalDateTime;

import io.rowqueue.petclinic.visit.Visits;
import io.rowqueue.test.QueueTester;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.security.test.context.support.WithAnonymousUser;
import org.springframework.security.test.context.support.WithMockUser;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;

/** The pages. */
@PetclinicTest
@WithMockUser(roles = { "STAFF", "OPS" })
class PagesTests implements OnPostgres {

	@Autowired
	MockMvcTester http;

	@Autowired
	QueueTester tester;

	@Autowired
	Visits visits;

	@Test
	void aVisitIsBookedCompletedAndInvoiced() {
		assertThat(this.http.get().uri("/owners/1")).hasStatusOk().bodyText().contains("Pixel, cat");
		assertThat(post("/pets/1/visits", "startsAt", LocalDateTime.now().plusDays(9).toString(), "reason", "Teeth"))
			.hasRedirectedUrl("/visits");
		long visit = this.visits.findAll().get(0).requiredId();
		assertThat(this.http.get().uri("/visits")).hasStatusOk()
			.bodyText()
			.contains("Teeth", "booked", "/rowqueue/jobs/");

		assertThat(post("/visits/" + visit + "/complete", "fee", "48.50")).hasRedirectedUrl("/visits");
		assertThat(this.http.get().uri("/invoices/{visit}", visit)).hasStatus(404);
		this.tester.runDue();

		assertThat(this.tester).hasJob("invoice").hasSucceeded();
		assertThat(this.http.get().uri("/invoices/{visit}", visit)).hasStatusOk().bodyText().contains("Pixel", "48.50");
		assertThat(this.http.get().uri("/mails")).hasStatusOk().bodyText().contains("Invoice " + visit);
	}

	@Test
	void aRejectedBookingIsExplained() {
		MvcTestResult result = post("/pets/1/visits", "startsAt", "2020-01-01T10:00", "reason", "Teeth");

		assertThat(result).hasRedirectedUrl("/visits");
		assertThat(result).flash().containsEntry("problem", "A visit cannot begin in the past");
		assertThat(this.tester).hasNoJobs();
	}

	@Test
	void anOwnerIsAdded() {
		assertThat(post("/owners", "name", "Edsger", "email", "nowhere", "pet", "Shortest", "species", "snail"))
			.hasStatusOk()
			.bodyText()
			.contains("must be a well-formed email address");
		assertThat(post("/owners", "name", "Edsger", "email", "e@example.org", "pet", "Shortest", "species", "snail"))
			.hasStatus3xxRedirection();

		assertThat(this.http.get().uri("/owners")).hasStatusOk().bodyText().contains("Edsger", "Shortest");
	}

	@Test
	@WithAnonymousUser
	void strangersSeeNothing() {
		assertThat(this.http.get().uri("/visits")).hasStatus(401);
		assertThat(this.http.get().uri("/rowqueue/api/session")).hasStatus(401);
	}

	private MvcTestResult post(String path, String... parameters) {
		var request = this.http.post().uri(path).with(csrf());
		for (int i = 0; i < parameters.length; i += 2) {
			request = request.param(parameters[i], parameters[i + 1]);
		}
		return request.exchange();
	}

}
