/**
 * Sends mails.
 */
package io.pgqueue.modulith.shop.mails;
