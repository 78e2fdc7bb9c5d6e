import type { ModelChange, OfferChange } from '../../../services/catalog-svc/src/layers/layer.ts';
import { decimalText } from '../decimal-text.ts';
import type { Members, Reason } from '../members.ts';

/** What `model_info` says of a deployment. */
interface ModelInfo {
  base: string | undefined;
  offer: OfferChange;
  facts: Omit<ModelChange, 'offers'>;
}

const prices = {
  input_cost_per_token: 'prompt',
  output_cost_per_token: 'completion',
  cache_read_input_token_cost: 'input_cache_read',
  cache_creation_input_token_cost: 'input_cache_write',
  input_cost_per_audio_token: 'audio_input',
  output_cost_per_audio_token: 'audio_output',
  output_cost_per_image: 'image',
} as const;

type PriceName = (typeof prices)[keyof typeof prices];

const mostDollars = 1e9;

/** Prices have twenty decimal places. */
const rounded = (price: number): number =>
  price < 1e-20 ? 0 : Number(price.toPrecision(Math.max(1, Math.min(15, 20 + Math.floor(Math.log10(price))))));

/** Prices may be in `litellm_params` as well, where they win. */
function readPrices(...places: (Members | undefined)[]): OfferChange {
  const pricing: Partial<Record<PriceName, string>> = {};
  for (const place of places) {
    for (const [name, kind] of Object.entries(prices)) {
      const price = place?.number(name);
      if (price !== undefined && price >= 0 && price < mostDollars) pricing[kind] = decimalText(rounded(price));
    }
  }
  return Object.keys(pricing).length === 0 ? {} : { pricing };
}

export function readModelInfo(info: Members | undefined, params: Members): ModelInfo {
  const offer = readPrices(info, params);
  if (info === undefined) return { base: params.text('base_model'), offer, facts: factsOf({}) };
  const base = params.text('base_model') ?? info.text('base_model');
  const supports = Object.fromEntries(supported.map((name) => [name, info.flag(`supports_${name}`)]));
  const facts = factsOf(supports, info.text('mode'));
  const limits = {
    contextLength: positive(info.number('max_input_tokens') ?? info.number('max_tokens')),
    maxOutput: positive(info.number('max_output_tokens')),
  };
  // `max_tokens` is the same again.
  info.value('max_tokens');
  info.value('id');
  info.leaveRest(reasons);
  return {
    base: base?.split('/').at(-1),
    offer: { ...offer, ...given(limits) },
    facts,
  };
}

const given = (limits: Partial<Record<'contextLength' | 'maxOutput', number | undefined>>): OfferChange =>
  Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));

const positive = (value: number | undefined): number | undefined =>
  value !== undefined && Number.isSafeInteger(value) && value > 0 ? value : undefined;

const supported = ['vision', 'function_calling', 'parallel_function_calling', 'reasoning', 'response_schema'] as const;

/** LiteLLM passes on what it does not know, so a chat model is supposed to be capable of all that is usual. */
function factsOf(
  supports: Partial<Record<string, boolean>>,
  mode = 'chat',
): Pick<ModelChange, 'features' | 'input' | 'output'> {
  const output = outputs[mode];
  if (output !== undefined) return { output: [output] };
  const has = (name: (typeof supported)[number], otherwise: boolean): boolean => supports[name] ?? otherwise;
  return {
    ...(has('vision', false) && { input: ['text', 'image'] }),
    features: [
      'streaming',
      'sampling',
      ...(has('function_calling', true) ? (['tools'] as const) : []),
      ...(has('parallel_function_calling', false) ? (['parallelToolCalls'] as const) : []),
      ...(has('vision', false) ? (['vision'] as const) : []),
      ...(has('reasoning', false) ? (['reasoning'] as const) : []),
      'json',
      ...(has('response_schema', true) ? (['structured'] as const) : []),
    ],
  };
}

type Output = NonNullable<ModelChange['output']>[number];

const outputs: Readonly<Record<string, Output>> = {
  embedding: 'embeddings',
  image_generation: 'image',
  audio_speech: 'speech',
  audio_transcription: 'transcriptions',
  moderation: 'moderations',
};

const reasons: Readonly<Record<string, Reason>> = {
  access_groups: ['Keys have lists of models, no groups of them.', 'Name the models in allowedModels of each key.'],
  team_id: ['Models belong to all projects.', 'Limit the keys of the other projects with allowedModels.'],
  input_cost_per_second: [
    'Models are not priced by the second.',
    'Give a price per minute: pricing.minute of the offer.',
  ],
};
