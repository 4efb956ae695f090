/**
 * Helpers for JSON: {@link io.berth.scheduler.json.StrictObject} reads objects member by member and refuses unknown
 * members, with the JSON path in each error; {@link io.berth.scheduler.json.WrittenJson} writes documents into memory.
 * {@link io.berth.scheduler.json.Paging} reads the parameters of paged lists and writes the link to the next page.
 * Used by all packages with routes. This package must not depend on any feature.
 */
package io.berth.scheduler.json;
