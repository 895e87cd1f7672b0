package io.rowqueue.engine.figures;

/**
 * Which jobs are counted together.
 *
 * @param kind {@link #ALL}, {@link #QUEUE} or {@link #TYPE}
 * @param name the name of the queue or type, or empty for all
 * @param version the version of the application
 */
record TallyKey(String kind, String name, String version) {

	static final String ALL = "all";

	static final String QUEUE = "queue";

	static final String TYPE = "type";

}
