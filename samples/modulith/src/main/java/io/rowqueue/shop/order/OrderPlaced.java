package io.rowqueue.shop.order;

/**
 * An order was placed.
 *
 * @param order its number
 * @param customer who placed it
 */
public record OrderPlaced(long order, String customer) {
}
