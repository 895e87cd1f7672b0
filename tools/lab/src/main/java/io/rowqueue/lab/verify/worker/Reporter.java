package io.rowqueue.lab.verify.worker;

/**
 * The statement that reports that a job has run.
 *
 * @param process the worker process
 * @param lease the lease token of the attempt
 */
public record Reporter(String process, int lease) {

}
