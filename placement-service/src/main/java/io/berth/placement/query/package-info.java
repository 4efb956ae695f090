/**
 * Parsers that several routes share: {@code required}, {@code member_of}, {@code resources} and uuids; and the bodies
 * of Berth's own routes. Pure. Each variant of a syntax, which microversions select, has a name. Knows no view and no
 * store.
 */
package io.berth.placement.query;
