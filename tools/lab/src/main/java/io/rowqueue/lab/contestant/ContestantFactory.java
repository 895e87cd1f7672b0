package io.rowqueue.lab.contestant;

/**
 * Creates a contestant whose libraries do not fit to those of the others. Its module has
 * a class path of its own, on which the {@link java.util.ServiceLoader} finds the
 * factory.
 */
public interface ContestantFactory {

	/**
	 * Creates the contestant with its tables.
	 * @param db a fresh database
	 * @param ledger what its handlers write to
	 */
	Contestant create(Db db, Ledger ledger) throws Exception;

}
