package io.pgqueue.sample.contact;

import java.util.List;

/**
 * A row of a CSV file.
 *
 * @param line where it begins in the file; 1 is the first line
 * @param fields what it holds
 */
record CsvRow(int line, List<String> fields) {

}
