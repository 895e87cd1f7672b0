package io.pgqueue.lab.verify.worker;

/**
 * Who says that a job is done.
 *
 * @param process the worker process
 * @param lease the lease token of the attempt
 */
public record Reporter(String process, int lease) {

}
