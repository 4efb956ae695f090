/**
 * Parsers that several routes share: of the query parameters {@code required}, {@code member_of} and {@code resources},
 * of uuids, and of bodies of Berth's own routes ({@link io.berth.placement.query.JsonAt}). Where a syntax depends on
 * the microversion, an enum names its variants. Pure. The packages of most routes use this one, which must not depend
 * on the fleet or on stores.
 */
package io.berth.placement.query;
