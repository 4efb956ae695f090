/**
 * Reads members of JSON bodies that several routes accept: {@link io.berth.scheduler.body.RequestSpecBody} for a
 * RequestSpec, {@link io.berth.scheduler.body.OptionsBody} for nova's options. Both throw ApiFault (400) with the path
 * of the member for an unknown member or an invalid value. Used by {@code api} and the routes of the module
 * scheduler-analysis.
 */
package io.berth.scheduler.body;
