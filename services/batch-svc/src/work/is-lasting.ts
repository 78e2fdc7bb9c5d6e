/** Content that cannot be read for so long is damaged. Before, its storage may be away: a folder without its volume is empty. */
const damagedAfterMs = 15 * 60_000;

/** Whether what was to be read since then has had enough tries. */
export const isLasting = (since: Date): boolean => Date.now() - since.getTime() > damagedAfterMs;
