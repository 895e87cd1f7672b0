package io.rowqueue.sample.job;

import io.rowqueue.JobQueue;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Shows the state of a job. */
@RestController
class JobController {

	private final JobQueue queue;

	JobController(JobQueue queue) {
		this.queue = queue;
	}

	@GetMapping("/api/jobs/{id}")
	JobStatus job(@PathVariable long id) {
		return this.queue.find(id)
			.map(JobStatus::of)
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no job " + id));
	}

}
