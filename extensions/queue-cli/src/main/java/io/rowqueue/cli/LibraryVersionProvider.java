package io.rowqueue.cli;

import io.rowqueue.engine.support.LibraryVersion;
import io.rowqueue.schema.QueueSchema;
import picocli.CommandLine.IVersionProvider;

/** Returns the versions of the library and of the schema that it requires. */
final class LibraryVersionProvider implements IVersionProvider {

	@Override
	public String[] getVersion() {
		return new String[] { "rowqueue " + LibraryVersion.get(), "schema version " + QueueSchema.newestVersion() };
	}

}
