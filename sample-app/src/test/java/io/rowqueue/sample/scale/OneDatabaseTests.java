package io.rowqueue.sample.scale;

/** One database, and nothing else. */
class OneDatabaseTests extends SameLedgerContract {

}
