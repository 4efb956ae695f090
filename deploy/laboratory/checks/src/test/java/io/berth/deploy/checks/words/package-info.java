/** Checks that code and documents use the words of docs/glossary.md and none of the words that were retired. */
package io.berth.deploy.checks.words;
