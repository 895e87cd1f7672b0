/** What the tests of several auto-configurations share. */
package io.rowqueue.testing;
