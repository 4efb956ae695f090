/**
 * Parses numbers, values, words of enums and uuids as operators and clients write them, in upstream's way;
 * {@link io.berth.scheduler.text.Derived} holds the derived value or why there is none, and
 * {@link io.berth.scheduler.text.Beginning} shortens long text. Pure. Must not depend on any other package of the
 * scheduler.
 */
package io.berth.scheduler.text;
