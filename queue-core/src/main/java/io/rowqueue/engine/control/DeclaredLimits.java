package io.rowqueue.engine.control;

/** The limits that an application declares in its properties. */
@FunctionalInterface
public interface DeclaredLimits {

	/** Stores them. */
	void write();

}
