package io.rowqueue.lab.contestant;

/**
 * About sixty bytes of JSON, the same for every contestant.
 *
 * @param n the number of the job
 * @param to the recipient
 * @param kind something
 */
public record Payload(int n, String to, String kind) {

	/** The payload of a job. */
	public static Payload of(int job) {
		return new Payload(job, "user" + job + "@example.org", "welcome");
	}

	String json() {
		return "{\"n\":" + this.n + ",\"to\":\"" + this.to + "\",\"kind\":\"" + this.kind + "\"}";
	}

	/** The same JSON, built by PostgreSQL from an expression for the number. */
	public static String jsonSql(String number) {
		return "'{\"n\":' || " + number + " || ',\"to\":\"user' || " + number
				+ " || '@example.org\",\"kind\":\"welcome\"}'";
	}

}
