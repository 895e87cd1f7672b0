package io.pgqueue.postgres;

/** A running server and the way to stop it. */
interface Server {

	/** Where it listens, as superuser. */
	Database database();

	void stop();

}
