import { longestUsageText } from '@tallyport/contracts';

/** A text of others, as consumers of the journal and the database accept it. */
export const boundedText = (text: string, most = longestUsageText): string => text.slice(0, most).toWellFormed();

/** Scores are compared by people, who need no more digits. */
export const threeDecimals = (score: number): number => Math.round(score * 1_000) / 1_000;
