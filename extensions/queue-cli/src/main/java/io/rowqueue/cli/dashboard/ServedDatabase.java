package io.rowqueue.cli.dashboard;

import java.util.function.Supplier;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.schema.SchemaName;

/**
 * A database whose dashboard is served.
 *
 * @param name the first part of the path of its pages
 * @param address its address for people, without a user and a password
 * @param schema the schema of the queue
 * @param pool creates a pool that leads to it
 */
public record ServedDatabase(String name, String address, SchemaName schema, Supplier<HikariDataSource> pool) {

}
