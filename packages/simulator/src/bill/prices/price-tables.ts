import type { ModelPrices, PriceTable } from '../price-table.ts';
import { anthropicPrices } from './anthropic.ts';
import { bedrockPrices } from './bedrock.ts';
import { azureCoherePrices, coherePrices } from './cohere.ts';
import { googlePrices } from './google.ts';
import { groqPrices } from './groq.ts';
import { jinaPrices } from './jina.ts';
import { mistralPrices } from './mistral.ts';
import { openAiPrices } from './openai.ts';
import { openrouterPrices } from './openrouter.ts';
import { typesafePrices } from './typesafe.ts';
import { voyagePrices } from './voyage.ts';
import { xaiPrices } from './xai.ts';

/** What each vendor publishes, as of 2026-11-26. Written from their pages, never from our catalogue. */
export const priceTables: Readonly<Record<string, PriceTable>> = {
  anthropic: anthropicPrices,
  'aws-bedrock': bedrockPrices,
  azure: { ...openAiPrices, ...azureCoherePrices },
  cohere: coherePrices,
  google: googlePrices,
  'google-vertex': { ...googlePrices, ...anthropicPrices },
  groq: groqPrices,
  jina: jinaPrices,
  mistral: mistralPrices,
  openai: openAiPrices,
  openrouter: openrouterPrices,
  typesafe: typesafePrices,
  voyage: voyagePrices,
  xai: xaiPrices,
};

const dated = /-(\d{8}|\d{4}-\d\d-\d\d)$/;

/** The prices of a model, of the model without the date in its name, or of all others. */
export const pricesOf = (table: PriceTable | undefined, model: string): ModelPrices | undefined =>
  table?.[model] ?? table?.[model.replace(dated, '')] ?? table?.['*'];
