/** Checks that everything that the project's documents refer to exists. */
package io.berth.deploy.checks.documents;
