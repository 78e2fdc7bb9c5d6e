import {
  type TokenClass,
  tokenClasses,
  type TokenField,
  tokenFields,
  toolClasses,
  toolFields,
} from '@tallyport/contracts';
import type { OtherModelUsage } from '@tallyport/wire';
import type { CostPart } from './cost-part.ts';
import type { PriceList } from './price-list.ts';
import type { CountedTokens } from './tokens.ts';

type PaidUse = Omit<CountedTokens, 'adjusted'>;

/** Pays the vendor's own tools, and returns the names of what has no price of its own. */
export function payTools(prices: PriceList, used: PaidUse, costs: CostPart[]): string[] {
  const { tokens, tools, unknown = [] } = used;
  const unpriced: string[] = [...unknown];
  for (const name of lowClasses) if (tokens[name] > 0 && prices.isLow[name]) unpriced.push(tokenFields[name].name);
  if (tools === undefined) return unpriced;
  for (const name of toolClasses) {
    const each = prices.tools[name];
    if (tools[name] === 0) continue;
    if (each === undefined) unpriced.push(toolFields[name].name);
    else costs.push({ of: name, cost: each * BigInt(tools[name]) });
  }
  return unpriced;
}

const lowClasses = tokenClasses.filter((name) => 'lowPrices' in tokenFields[name]);

/** What another model used for an answer cost. */
export interface OtherModelCost {
  readonly for: OtherModelUsage['for'];
  /** None if its price is unknown. */
  readonly costs: readonly CostPart[];
  /** Names of what has no price of its own. */
  readonly unpriced: readonly string[];
}

/** Adds up other models by what they did, and returns the names of what has no price. */
export function payOtherModels(models: readonly OtherModelCost[], costs: CostPart[]): string[] {
  for (const [purpose, classes] of otherClasses) {
    const parts = models.flatMap((each) => (each.for === purpose ? each.costs : []));
    for (const side of ['prompt', 'answer'] as const) {
      const cost = parts.reduce((sum, part) => (sideOf(part) === side ? sum + part.cost : sum), 0n);
      if (cost > 0n) costs.push({ of: classes[side], cost });
    }
  }
  return models.flatMap((each) => each.unpriced);
}

/** Whether a part counts as prompt or as answer; what is no class of tokens counts as answer. */
const sideOf = ({ of }: CostPart): TokenField['of'] =>
  of in tokenFields ? tokenFields[of as TokenClass].of : 'answer';

const otherClasses: readonly [OtherModelUsage['for'], Readonly<Record<TokenField['of'], TokenClass>>][] = [
  ['advisor', { prompt: 'advisorIn', answer: 'advisorOut' }],
  ['image_generation', { prompt: 'imageToolIn', answer: 'imageToolOut' }],
];
