package io.pgqueue.cli;

import io.pgqueue.engine.admin.LibraryVersion;
import io.pgqueue.schema.QueueSchema;
import picocli.CommandLine.IVersionProvider;

/** Returns the versions of the library and of the schema that it requires. */
final class LibraryVersionProvider implements IVersionProvider {

	@Override
	public String[] getVersion() {
		return new String[] { "pgqueue " + LibraryVersion.get(), "schema version " + QueueSchema.newestVersion() };
	}

}
