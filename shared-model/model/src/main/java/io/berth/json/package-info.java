/**
 * Helpers to write lists, times and numbers with Jackson's streaming generator. Used by the JSON writers of both
 * services.
 */
package io.berth.json;
