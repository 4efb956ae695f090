/**
 * Parsers that several routes share: {@code required}, {@code member_of}, {@code resources} and uuids; and the bodies
 * of Berth's own routes. Pure; what a microversion allows is a named syntax. Knows no view and no store.
 */
package io.berth.placement.query;
