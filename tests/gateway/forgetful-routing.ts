/** Routing without memory and chance: what one test does to a provider must not decide where the next one's request goes. */
export const forgetfulRouting = {
  ROUTING_EXPLORATION: '0',
  ROUTING_HEALTH_WINDOW_MS: '1',
  ROUTING_BREAKER_VOLUME: '1000000',
  ROUTING_BREAKER_FAILURES_IN_A_ROW: '1000000',
  ROUTING_MAX_COOLDOWN_MS: '0',
};
