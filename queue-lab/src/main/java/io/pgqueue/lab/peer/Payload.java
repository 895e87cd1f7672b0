package io.pgqueue.lab.peer;

/** About sixty bytes of JSON, the same for every peer. */
record Payload(int n, String to, String kind) {

	static Payload of(int job) {
		return new Payload(job, "user" + job + "@example.org", "welcome");
	}

}
