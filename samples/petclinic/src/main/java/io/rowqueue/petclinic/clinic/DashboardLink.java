package io.rowqueue.petclinic.clinic;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;

/** Gives all pages {@code jobsRun}: without PostgreSQL there is no dashboard. */
@ControllerAdvice
class DashboardLink {

	private final boolean jobsRun;

	DashboardLink(@Value("${rowqueue.enabled:true}") boolean jobsRun) {
		this.jobsRun = jobsRun;
	}

	@ModelAttribute("jobsRun")
	boolean jobsRun() {
		return this.jobsRun;
	}

}
