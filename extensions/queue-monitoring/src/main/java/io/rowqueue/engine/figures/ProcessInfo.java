package io.rowqueue.engine.figures;

/**
 * What a process says of itself.
 *
 * @param name its name
 * @param version the version of the application; empty if it is not known
 * @param java the version of Java
 * @param host the name of its machine
 */
public record ProcessInfo(String name, String version, String java, String host) {

}
