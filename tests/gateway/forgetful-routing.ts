/** Nothing kept and nothing left to chance: what one test does must not decide what the next one meets. */
export const forgetfulRouting = {
  ROUTING_EXPLORATION: '0',
  ROUTING_HEALTH_WINDOW_MS: '1',
  // What another replica tells is news when it comes, however old.
  ROUTING_SHARE_EVERY_MS: '60000',
  ROUTING_BREAKER_VOLUME: '1000000',
  ROUTING_BREAKER_FAILURES_IN_A_ROW: '1000000',
  ROUTING_MAX_COOLDOWN_MS: '0',
  CACHE_TTL_SECONDS: '0',
};
