/**
 * Parsers and formatters for numbers, values, enum constants and uuids, with upstream's rules; {@link
 * io.berth.scheduler.text.Derived}, a value derived from them or the reason why there is none; and {@link
 * io.berth.scheduler.text.Beginning}, which cuts long texts. Pure. Must not depend on any other package of the
 * scheduler.
 */
package io.berth.scheduler.text;
