/** Settings of earlier versions, with what to do instead. A process that still has one does not start. */
export const retiredSettings: Readonly<Record<string, string>> = {
  ALERTS_ALLOW_LOCAL: 'use ALLOW_LOCAL_TARGETS',
  GUARD_WEBHOOKS_ALLOW_LOCAL: 'use ALLOW_LOCAL_TARGETS',
  IMAGE_URL_ALLOW_LOCAL: 'use ALLOW_LOCAL_TARGETS',
  MCP_SERVERS_ALLOW_LOCAL: 'use ALLOW_LOCAL_TARGETS',
};
