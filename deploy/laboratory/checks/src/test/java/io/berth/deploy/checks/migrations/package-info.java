/** Checks that migrations do not break replicas of the previous version. Source: decision 15. */
package io.berth.deploy.checks.migrations;
