/** The aggregates of a provider: {@code /resource_providers/{uuid}/aggregates}. An aggregate is only a uuid. */
package io.berth.placement.aggregate;
