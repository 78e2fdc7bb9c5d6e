import {
  type ArrivedRequest,
  categoryScore,
  contentHash,
  type FamilySettings,
  isObject,
  jsonOf,
  type JsonObject,
  jsonReply,
  type VendorRoute,
  type RouteAnswer,
} from '@tallyport/sandbox';
import { basePathOf } from '../bases.ts';
import { dialectOf, refusalOf, wordedFor } from './dialect.ts';
import { notJson, unknownMember, unsupported } from '../refusals.ts';
import { mistralVendor } from './vendors/mistral.ts';

const categories = [
  'sexual',
  'hate_and_discrimination',
  'violence_and_threats',
  'dangerous_and_criminal_content',
  'selfharm',
  'health',
  'financial',
  'law',
  'pii',
];

/** Mistral's moderations: text only, other categories, and no `flagged`. A text that names a category is in it. */
export const mistralModerations = (
  knowsKey: (request: ArrivedRequest) => boolean,
  { seed }: Pick<FamilySettings, 'seed'>,
): VendorRoute => ({
  method: 'POST',
  path: new RegExp(`^${basePathOf('mistral')}/moderations$`),
  provider: 'mistral',
  faulty: true,
  dialect: dialectOf(mistralVendor),
  answer: (request) =>
    knowsKey(request) ? answer(request, seed) : { answer: refusalOf(mistralVendor, wordedFor(mistralVendor, 401)) },
});

function answer({ body: bytes }: ArrivedRequest, seed: FamilySettings['seed']): RouteAnswer {
  const body = jsonOf(bytes.toString());
  if (!isObject(body)) return { answer: refusalOf(mistralVendor, notJson) };
  const model = String(body.model);
  const fault = unknownMember(body, ['model', 'input', 'metadata']) ?? wrongInput(body);
  if (fault !== undefined) return { model, answer: refusalOf(mistralVendor, unsupported(fault)) };
  if (!/moderation/.test(model)) return { model, answer: refusalOf(mistralVendor, wordedFor(mistralVendor, 404)) };
  const results = [body.input].flat().map((text) => resultOf(String(text)));
  const id = contentHash(`${seed}/${contentHash(bytes)}`).slice(0, 32);
  return { model, answer: jsonReply(200, { id, model, results }) };
}

function wrongInput({ input }: JsonObject): string | undefined {
  const texts = [input].flat();
  return texts.length > 0 && texts.every((text) => typeof text === 'string') ? undefined : 'input';
}

function resultOf(text: string) {
  const flags = categories.map((name) => [name, text.includes(name)] as const);
  return {
    categories: Object.fromEntries(flags),
    category_scores: Object.fromEntries(flags.map(([name, flag]) => [name, categoryScore(text, name, flag)])),
  };
}
