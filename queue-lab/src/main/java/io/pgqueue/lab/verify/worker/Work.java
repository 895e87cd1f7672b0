package io.pgqueue.lab.verify.worker;

/**
 * The payload of a job.
 *
 * @param number tells the jobs apart before they have an id
 * @param millis how long its handler takes
 * @param failures how many of its attempts fail on purpose
 */
public record Work(int number, int millis, int failures) {

}
