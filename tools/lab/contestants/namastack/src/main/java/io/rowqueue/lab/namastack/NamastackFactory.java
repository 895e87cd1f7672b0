package io.rowqueue.lab.namastack;

import java.sql.SQLException;

import io.rowqueue.lab.contestant.Contestant;
import io.rowqueue.lab.contestant.ContestantFactory;
import io.rowqueue.lab.contestant.Db;
import io.rowqueue.lab.contestant.Ledger;

/** Creates the contestant. */
public final class NamastackFactory implements ContestantFactory {

	@Override
	public Contestant create(Db db, Ledger ledger) throws SQLException {
		return NamastackOutbox.create(db, ledger);
	}

}
