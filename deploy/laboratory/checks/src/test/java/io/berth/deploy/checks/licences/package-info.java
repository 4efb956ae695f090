/**
 * Checks that the licenses of the services' libraries allow their distribution. Start with
 * {@link io.berth.deploy.checks.licences.LicencesIT}. Reads the bills of materials that the services' builds write.
 */
package io.berth.deploy.checks.licences;
