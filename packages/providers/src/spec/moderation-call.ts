/** A part of one item, in OpenAI's form. */
export type ModerationPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

/** Content to judge, as the client sent it: texts, each on its own, or the parts of one item. */
export interface ModerationCall {
  readonly input: string | readonly string[] | readonly ModerationPart[];
}

/** One judgement, in OpenAI's form. */
export interface ModerationResult {
  readonly flagged: boolean;
  readonly categories: object;
  readonly category_scores: object;
}

/** What a vendor answered. */
export interface ModerationsAnswer {
  /** Absent if the vendor gave none. */
  readonly id?: string;
  readonly results: readonly ModerationResult[];
  /** Absent if the vendor does not count tokens. */
  readonly promptTokens?: number;
}

/** The texts of a call; the parts of one item count as one text each. */
export const moderationTexts = ({ input }: ModerationCall): string[] =>
  typeof input === 'string' ? [input] : input.map((each) => (typeof each === 'string' ? each : textIn(each)));

const textIn = (part: ModerationPart): string => (part.type === 'text' ? part.text : '');

export const hasImages = ({ input }: ModerationCall): boolean =>
  typeof input !== 'string' && input.some((each) => typeof each !== 'string' && each.type === 'image_url');

/** A list of texts gets one result each; everything else is one item. */
export const wantedResults = ({ input }: ModerationCall): number =>
  typeof input !== 'string' && typeof input[0] === 'string' ? input.length : 1;
