/** The forms in which lists and records are printed: tables, JSON, YAML, CSV, values. Pure. */
package io.berth.deploy.text;
