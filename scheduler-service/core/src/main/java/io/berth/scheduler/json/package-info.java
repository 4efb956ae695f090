/**
 * Reads JSON bodies strictly, with the path of each error, and writes JSON into memory. This package knows no record
 * of any feature.
 */
package io.berth.scheduler.json;
