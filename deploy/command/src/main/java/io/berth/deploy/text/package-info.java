/** The output of commands: tables, bars, JSON; ASCII, less than 100 columns. Pure. */
package io.berth.deploy.text;
