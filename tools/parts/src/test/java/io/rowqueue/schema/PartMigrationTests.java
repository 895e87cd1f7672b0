package io.rowqueue.schema;

/** What every migration file has to keep to, of all parts. */
class PartMigrationTests extends MigrationTests {

}
