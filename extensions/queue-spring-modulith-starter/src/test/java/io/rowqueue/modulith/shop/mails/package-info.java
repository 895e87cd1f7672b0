/**
 * Sends mails.
 */
package io.rowqueue.modulith.shop.mails;
