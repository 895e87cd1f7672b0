package io.rowqueue.modulith;

import tools.jackson.databind.util.TokenBuffer;

/**
 * The payload of a job that delivers an event to a listener.
 *
 * @param type the name of the event's class, which the listener's method may declare as a
 * supertype
 * @param event the event as JSON, whose numbers keep all their digits
 */
record PublishedEvent(String type, TokenBuffer event) {

}
