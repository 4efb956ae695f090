/**
 * Reads JSON bodies strictly, with the path of each error, and writes JSON into memory. This package must not know the
 * records of any feature.
 */
package io.berth.scheduler.json;
