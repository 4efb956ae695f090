/**
 * JSON helpers of both services: writers of lists and numbers for Jackson's streaming generator, and the format of
 * times.
 */
package io.berth.json;
