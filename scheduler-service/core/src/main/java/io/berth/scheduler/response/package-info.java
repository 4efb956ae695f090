/**
 * Content negotiation of routes that people query: JSON, or plain text for {@code curl}, the command {@code berth} and
 * tickets. {@link io.berth.scheduler.response.ResponseFormat} chooses the media type and renders the response. The
 * package of each route renders its text from its JSON. Used by {@code api}, {@code record}, {@code nova.shadow} and
 * the routes of the module scheduler-analysis.
 */
package io.berth.scheduler.response;
