package io.rowqueue.cli.importer;

import java.util.Map;

/**
 * How an import reads.
 *
 * @param tables the name of the table, or the prefix of the tables
 * @param types the type for some names of the other scheduler
 * @param withoutData whether to import jobs without their data if these cannot be read
 */
public record ImportOptions(String tables, Map<String, String> types, boolean withoutData) {

	/** Checks the name, which becomes part of statements. */
	public ImportOptions {
		if (!tables.matches("[A-Za-z_][A-Za-z0-9_.]*")) {
			throw new IllegalArgumentException("'" + tables + "' is not the name of a table");
		}
		types = Map.copyOf(types);
	}

	String type(String name) {
		return this.types.getOrDefault(name, name);
	}

}
