/**
 * Reads members of JSON bodies that several routes accept: {@link io.berth.scheduler.body.RequestSpecBody} for a
 * RequestSpec, {@link io.berth.scheduler.body.OptionsBody} for nova's options. Unknown members and invalid values are
 * ApiFault (400) with the path of the member. Used by {@code api} and the routes of the module scheduler-analysis.
 */
package io.berth.scheduler.body;
