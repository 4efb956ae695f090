/**
 * Parsers and formatters for numbers, booleans, enum constants and uuids, with upstream's rules.
 * {@link io.berth.scheduler.text.DerivedValue} is the result of a derivation from text: a value, or the reason why
 * there is none. {@link io.berth.scheduler.text.NoHostSentence} and {@link io.berth.scheduler.text.Truncation} render
 * messages. Pure. The package must not depend on any other package of the scheduler.
 */
package io.berth.scheduler.text;
