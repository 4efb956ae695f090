/**
 * Texts that several routes read alike: {@code required}, {@code member_of}, {@code resources} and uuids. Pure; the
 * caller says by a named syntax what its microversion allows. Knows no view and no store.
 */
package io.berth.placement.query;
