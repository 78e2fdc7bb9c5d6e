/** Scores are compared by people, who need no more digits. */
export const threeDecimals = (score: number): number => Math.round(score * 1_000) / 1_000;
