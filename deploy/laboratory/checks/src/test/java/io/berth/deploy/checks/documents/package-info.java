/** The documents of the project: whether what they refer to is there. */
package io.berth.deploy.checks.documents;
