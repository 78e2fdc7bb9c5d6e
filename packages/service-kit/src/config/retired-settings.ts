/** Settings of earlier versions, with what to do instead. A process that still has one does not start. */
export const retiredSettings: Readonly<Record<string, string>> = {
  ALERTS_ALLOW_LOCAL: 'use ALLOW_LOCAL_TARGETS',
  CATALOGUE_REFRESH_MS: 'remove it',
  GUARD_WEBHOOKS_ALLOW_LOCAL: 'use ALLOW_LOCAL_TARGETS',
  IDEMPOTENCY_MAX_HELD_BYTES: 'remove it',
  IMAGE_CONVERT_CONCURRENT: 'remove it',
  IMAGE_URL_ALLOW_LOCAL: 'use ALLOW_LOCAL_TARGETS',
  MCP_MAX_ANSWER_BYTES: 'remove it',
  MCP_SERVERS_ALLOW_LOCAL: 'use ALLOW_LOCAL_TARGETS',
  ROUTING_AFFINITY_CHARACTERS: 'remove it',
  ROUTING_AFFINITY_MS: 'remove it',
  ROUTING_BREAKER_ERROR_PERCENTAGE: 'remove it',
  ROUTING_HEALTHY_UPTIME: 'remove it',
  ROUTING_IMAGE_PRICE_WEIGHT: 'remove it',
  UPSTREAM_CONNECT_TIMEOUT_MS: 'remove it',
};
