/**
 * Takes orders.
 */
package io.rowqueue.modulith.shop.orders;
