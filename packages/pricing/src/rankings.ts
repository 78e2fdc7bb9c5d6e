import { noTokens, type Offer } from '@tallyport/contracts';
import type { Usage } from '@tallyport/wire';
import { estimateTextTokens, type RequestEstimate } from './estimates.ts';
import { promptUsage } from './prompt-usage.ts';

/** Documents to be compared with a query. */
interface RankedTexts {
  readonly query: string;
  readonly documents: readonly string[];
  /** What is read of each document, if the request says so. */
  readonly tokensPerDocument?: number;
}

/** What a vendor says that it bills. */
interface ReportedRanking {
  readonly tokens?: number | undefined;
  readonly searchUnits?: number | undefined;
}

interface RankingUsage {
  readonly estimated: Usage;
  /** `undefined` if the vendor does not report what its offer is priced by. */
  reported(answer: ReportedRanking): Usage | undefined;
}

/** A vendor bills search units if its offer has a price for them, and tokens otherwise. */
export function rankingUsage(texts: RankedTexts, { pricing }: Pick<Offer, 'pricing'>): RankingUsage {
  const tokens = rankingTokens(texts);
  if (pricing['search'] === undefined) {
    return {
      estimated: promptUsage(tokens),
      reported: (answer) => (answer.tokens === undefined ? undefined : promptUsage(answer.tokens)),
    };
  }
  return {
    estimated: bySearch(searchUnits(texts), tokens),
    reported: ({ searchUnits: units }) => (units === undefined ? undefined : bySearch(units, tokens)),
  };
}

/** Limits count the tokens, which are not billed. */
const bySearch = (units: number, tokens: number): Usage => ({
  prompt_tokens: 0,
  completion_tokens: 0,
  total_tokens: tokens,
  search_units: units,
});

/** The model reads the query with every document. */
export const rankingTokens = ({ query, documents }: RankedTexts): number =>
  documents.reduce(
    (sum, document) => sum + estimateTextTokens(document.length),
    estimateTextTokens(query.length) * documents.length,
  );

const documentsPerUnit = 100;
/** A document that is longer with the query counts as several. */
const tokensPerPart = 500;
/** What Cohere reads of a document unless the request says otherwise. */
const usualTokensPerDocument = 4_096;

function searchUnits({ query, documents, tokensPerDocument = usualTokensPerDocument }: RankedTexts): number {
  const tokensOfQuery = estimateTextTokens(query.length);
  const parts = documents.reduce((sum, { length }) => {
    const tokens = Math.min(estimateTextTokens(length), tokensPerDocument);
    return sum + Math.max(1, Math.ceil((tokens + tokensOfQuery) / tokensPerPart));
  }, 0);
  return Math.ceil(parts / documentsPerUnit);
}

export const estimateRanking = (texts: RankedTexts): RequestEstimate => ({
  tokens: rankingTokens(texts),
  at(offer) {
    const { prompt_tokens: input, search_units: units } = rankingUsage(texts, offer).estimated;
    return { tokens: { ...noTokens, input }, images: 0, ...(units !== undefined && { searchUnits: units }) };
  },
});
