package io.rowqueue.dashboard.api;

import java.util.List;

import io.rowqueue.dashboard.http.Route;

/** A part of the API. */
public interface Resource {

	/** Returns its routes. */
	List<Route> routes();

}
