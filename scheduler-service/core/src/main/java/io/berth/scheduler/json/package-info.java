/**
 * Reading JSON bodies strictly, with the path of what is wrong; writing JSON into memory. Knows no record of any feature.
 */
package io.berth.scheduler.json;
