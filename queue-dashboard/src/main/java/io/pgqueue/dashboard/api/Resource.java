package io.pgqueue.dashboard.api;

import java.util.List;

import io.pgqueue.dashboard.http.Route;

/** A part of the API. */
public interface Resource {

	/** Returns its routes. */
	List<Route> routes();

}
