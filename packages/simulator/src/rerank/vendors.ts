import { type JsonObject, type rankedDocuments, rerankTokens, rerankUnits } from '@tallyport/sandbox';
import { basePathOf } from '../bases.ts';
import type { CompatibleVendor } from '../compatible/vendor.ts';
import { azureVendor } from '../compatible/vendors/azure.ts';
import { togetherVendor } from '../compatible/vendors/together.ts';
import { vllmVendor } from '../compatible/vendors/vllm.ts';

/** How a vendor ranks documents. */
export interface RerankVendor {
  /** Its key and its errors. */
  readonly vendor: CompatibleVendor;
  readonly path: string;
  /** Members besides these: `model`, `query` and `documents`. Others are refused. */
  readonly members: readonly string[];
  readonly mostDocuments: number;
  readonly bills: 'search units' | 'tokens';
  /** Its names of `documents` and `top_n`. */
  readonly documents?: 'texts';
  readonly most?: 'top_k';
  write(ranked: Ranked): unknown;
}

interface Ranked {
  readonly body: JsonObject;
  readonly results: ReturnType<typeof rankedDocuments>;
}

export const documentsOf = ({ documents = 'documents' }: { documents?: string }): string => documents;

const textAt = ({ documents }: JsonObject, index: number): string =>
  Array.isArray(documents) ? String(documents[index]) : '';

const withDocuments = ({ body, results }: Ranked) =>
  results.map((result) => ({ ...result, document: { text: textAt(body, result.index) } }));

const inCohere = ({ body, results }: Ranked) => ({
  id: '07734bd2-2473-4f07-94e1-0d9f0e6843cf',
  results,
  meta: { api_version: { version: '2' }, billed_units: { search_units: rerankUnits(body) } },
});

const cohere = {
  members: ['top_n', 'max_tokens_per_doc', 'priority'],
  mostDocuments: 10_000,
  bills: 'search units',
  write: inCohere,
} as const;

export const cohereVendor: CompatibleVendor = {
  id: 'cohere',
  keyPath: '/v1/models',
  errorBody: ({ message }) => ({ id: 'sim-0000', message }),
};

/** Frameworks write their errors so. */
const inDetail: Pick<CompatibleVendor, 'errorBody'> = { errorBody: ({ message }) => ({ detail: message }) };

export const rerankVendors: readonly RerankVendor[] = [
  { ...cohere, vendor: azureVendor, path: '/azure/providers/cohere/v2/rerank' },
  {
    ...cohere,
    vendor: cohereVendor,
    path: `${basePathOf('cohere')}/v2/rerank`,
  },
  {
    vendor: { id: 'jina', ...inDetail },
    path: `${basePathOf('jina')}/rerank`,
    members: ['top_n', 'return_documents', 'truncation'],
    mostDocuments: 10_000,
    bills: 'tokens',
    write: (ranked) => ({
      model: ranked.body.model,
      object: 'list',
      usage: { total_tokens: rerankTokens(ranked.body) },
      results: ranked.body.return_documents === false ? ranked.results : withDocuments(ranked),
    }),
  },
  {
    // Ranks all texts with its only model, and returns them in no order.
    vendor: {
      id: 'tei',
      credential: 'none',
      errorBody: ({ message }) => ({ error: message, error_type: 'Validation' }),
    },
    path: `${basePathOf('tei')}/rerank`,
    members: ['return_text', 'raw_scores', 'truncate', 'truncation_direction'],
    mostDocuments: 1_000,
    bills: 'tokens',
    documents: 'texts',
    write: ({ results }) =>
      results.map(({ index, relevance_score: score }) => ({ index, score })).toSorted((a, b) => a.index - b.index),
  },
  {
    vendor: togetherVendor,
    path: `${basePathOf('together')}/rerank`,
    members: ['top_n', 'return_documents', 'rank_fields'],
    mostDocuments: 1_024,
    bills: 'tokens',
    write: (ranked) => ({
      object: 'rerank',
      id: 'sim-0000',
      model: ranked.body.model,
      results: ranked.body.return_documents === false ? ranked.results : withDocuments(ranked),
      usage: {
        prompt_tokens: rerankTokens(ranked.body),
        completion_tokens: 0,
        total_tokens: rerankTokens(ranked.body),
      },
    }),
  },
  {
    vendor: vllmVendor,
    path: `${basePathOf('vllm')}/rerank`,
    members: ['top_n', 'truncate_prompt_tokens', 'priority'],
    mostDocuments: 100_000,
    bills: 'tokens',
    write: (ranked) => ({
      id: 'rerank-sim',
      model: ranked.body.model,
      usage: { prompt_tokens: rerankTokens(ranked.body), total_tokens: rerankTokens(ranked.body) },
      results: withDocuments(ranked),
    }),
  },
  {
    vendor: { id: 'voyage', ...inDetail },
    path: `${basePathOf('voyage')}/rerank`,
    members: ['top_k', 'return_documents', 'truncation'],
    mostDocuments: 1_000,
    bills: 'tokens',
    most: 'top_k',
    write: ({ body, results }) => ({
      object: 'list',
      data:
        body.return_documents === true
          ? results.map((each) => ({ ...each, document: textAt(body, each.index) }))
          : results,
      model: body.model,
      usage: { total_tokens: rerankTokens(body) },
    }),
  },
];
