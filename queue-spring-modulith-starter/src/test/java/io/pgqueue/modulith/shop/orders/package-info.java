/**
 * Takes orders.
 */
package io.pgqueue.modulith.shop.orders;
