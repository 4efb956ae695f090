/** Who is asking and what they may: header identity for development, and upstream's policy rules by profile. */
package io.berth.placement.identity;
