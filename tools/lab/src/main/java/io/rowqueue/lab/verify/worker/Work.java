package io.rowqueue.lab.verify.worker;

/**
 * The payload of a job.
 *
 * @param number identifies the job before it has an id
 * @param millis how long its handler takes
 * @param failures how many of its attempts fail on purpose
 */
public record Work(int number, int millis, int failures) {

}
