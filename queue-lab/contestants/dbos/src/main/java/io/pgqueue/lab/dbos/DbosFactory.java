package io.pgqueue.lab.dbos;

import java.sql.SQLException;

import io.pgqueue.lab.contestant.Contestant;
import io.pgqueue.lab.contestant.ContestantFactory;
import io.pgqueue.lab.contestant.Db;
import io.pgqueue.lab.contestant.Ledger;

/** Creates the contestant. */
public final class DbosFactory implements ContestantFactory {

	@Override
	public Contestant create(Db db, Ledger ledger) throws SQLException {
		return DbosQueue.create(db, ledger);
	}

}
