/** The longest pause between two tries. */
export const longestPauseMs = 5 * 60_000;

/** What was refused together is not tried again together. */
export const spread = (ms: number): number => Math.ceil(ms * (1 + Math.random() / 2));

/** The pause after so many tries. */
export const pauseOf = (tries: number): number => spread(Math.min(longestPauseMs, 1_000 * 2 ** Math.min(tries, 20)));
