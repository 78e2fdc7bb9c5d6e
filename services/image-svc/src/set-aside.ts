import type { RequestHead } from '@switchyard/contracts';
import type { ImageOutcome, Plan } from '@switchyard/dispatch';
import {
  type Asked,
  endOfImages,
  estimateImages,
  estimateImageTokens,
  type Metering,
  promptTokens,
} from '@switchyard/dispatch-kit';
import type { TokenLimits, TokenRefusal } from '@switchyard/limits';
import type { ImageCall, ImageOperation } from '@switchyard/providers';

export interface AsideTools {
  tokens: TokenLimits;
  metering: Metering;
}

export interface PlannedImages {
  head: RequestHead;
  operation: ImageOperation;
  call: ImageCall;
  plan: Plan;
}

/** Tokens and money that one request may use, until it is known what it used. */
export interface Aside {
  /** What its tokens leave of a limit; nothing where there is none. */
  headers: Record<string, string>;
  /** Once. */
  ended(outcome: ImageOutcome): void;
  /** Resolves when its use is written down. */
  settled(): Promise<void>;
}

/** Before anybody is called: of the limits of key and account, and of their budgets. */
export async function setAside(
  { tokens, metering }: AsideTools,
  { head, operation, call, plan }: PlannedImages,
): Promise<Aside | TokenRefusal> {
  const reserved = await tokens.reserve(head.principal, () => estimateImageTokens(call));
  if (reserved && 'error' in reserved) return reserved;
  const asked: Asked = { head, operation: usageOperations[operation], plan, stream: false };
  const metered = await metering.enter(asked, () => estimateImages(call));
  if ('error' in metered) {
    reserved?.settle(0);
    return metered;
  }
  return {
    headers: reserved?.headers ?? {},
    ended(outcome) {
      metered.ended(endOfImages(outcome));
      reserved?.settle(tokensOf(outcome, call));
    },
    settled: metered.settled,
  };
}

export const usageOperations = { generate: 'image_generation', edit: 'image_edit' } as const;

/** Of vendors that count images only, the prompt's: as in chats. */
const tokensOf = ({ served, usage }: ImageOutcome, { prompt }: ImageCall): number =>
  served === undefined ? 0 : (usage?.total_tokens ?? promptTokens(prompt));
