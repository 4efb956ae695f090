/**
 * What would be if the cloud, or the policy, were another? {@link io.berth.scheduler.whatif.WhatIfEndpoint} asks the
 * same questions about the cloud as it is and as changes would make it. Claims and writes nothing.
 */
package io.berth.scheduler.whatif;
