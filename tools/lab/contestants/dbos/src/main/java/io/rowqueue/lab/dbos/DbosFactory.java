package io.rowqueue.lab.dbos;

import java.sql.SQLException;

import io.rowqueue.lab.contestant.Contestant;
import io.rowqueue.lab.contestant.ContestantFactory;
import io.rowqueue.lab.contestant.Db;
import io.rowqueue.lab.contestant.Ledger;

/** Creates the contestant. */
public final class DbosFactory implements ContestantFactory {

	@Override
	public Contestant create(Db db, Ledger ledger) throws SQLException {
		return DbosQueue.create(db, ledger);
	}

}
