import { jsonReply } from '../answer.ts';
import { contentHash } from '../content-hash.ts';
import { isObject, type JsonObject, jsonOf, objectsOf } from '../json.ts';
import type { ArrivedRequest, RouteAnswer } from '../route.ts';
import { type ApiError, invalidRequest, openAiErrorReply } from './errors.ts';
import type { OpenAiProvider } from './provider.ts';

/** Answers moderations. A text that names a category is flagged for it. */
export const createModerations =
  ({ refuseModerations }: Pick<OpenAiProvider, 'refuseModerations'>) =>
  ({ body: bytes }: ArrivedRequest): RouteAnswer => {
    const body = jsonOf(bytes.toString());
    if (!isObject(body)) return { answer: openAiErrorReply(notJson) };
    const model = String(body.model);
    const refusal = refuseModerations(body) ?? findModerationFault(body);
    if (refusal) return { model, answer: openAiErrorReply(refusal) };
    const id = `modr-${contentHash(bytes).slice(0, 24)}`;
    return { model, answer: jsonReply(200, { id, model, results: moderatedItems(body).map(resultOf) }) };
  };

const notJson = invalidRequest('We could not parse the JSON body of your request.', null);

const categories = [
  'harassment',
  'harassment/threatening',
  'hate',
  'hate/threatening',
  'illicit',
  'illicit/violent',
  'self-harm',
  'self-harm/intent',
  'self-harm/instructions',
  'sexual',
  'sexual/minors',
  'violence',
  'violence/graphic',
];

/** The categories that OpenAI judges images for. */
const ofImages = /^(self-harm|sexual$|violence)/;

interface Item {
  readonly text: string;
  readonly kinds: readonly ('text' | 'image')[];
}

/** A list of texts is one item each; a list of parts is one item. */
function moderatedItems({ input }: JsonObject): Item[] {
  const parts = objectsOf(input);
  if (parts.length === 0) return [input].flat().map((text) => ({ text: String(text), kinds: ['text'] }));
  const texts = parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  const image = parts.some(({ type }) => type === 'image_url') ? (['image'] as const) : [];
  return [{ text: texts.join(' '), kinds: [...(texts.length > 0 ? (['text'] as const) : []), ...image] }];
}

function resultOf(item: Item) {
  const flags = categories.map((name) => [name, item.text.includes(name)] as const);
  return {
    flagged: flags.some(([, flag]) => flag),
    categories: Object.fromEntries(flags),
    category_scores: Object.fromEntries(flags.map(([name, flag]) => [name, categoryScore(item.text, name, flag)])),
    category_applied_input_types: Object.fromEntries(
      categories.map((name) => [name, item.kinds.filter((kind) => kind === 'text' || ofImages.test(name))]),
    ),
  };
}

/** At least 0.9 for a flagged category, below 0.1 for others. */
export function categoryScore(text: string, name: string, flag: boolean): number {
  const share = Number.parseInt(contentHash(`${name}/${text}`).slice(0, 6), 16) / 16 ** 6 / 10;
  return flag ? 0.9 + share : share;
}

/** The rules of OpenAI. */
function findModerationFault({ input }: JsonObject): ApiError | undefined {
  const given = [input].flat();
  if (given.length === 0 || !(given.every(isText) || (Array.isArray(input) && input.every(isPart))))
    return invalidRequest("'$.input' is invalid. Please check the API reference.", 'input');
  const images = objectsOf(input).filter(({ type }) => type === 'image_url').length;
  return images > 1 ? invalidRequest('At most 1 image is allowed per request.', 'input') : undefined;
}

const isText = (value: unknown): boolean => typeof value === 'string';

const isPart = (value: unknown): boolean =>
  isObject(value) &&
  (value.type === 'text'
    ? isText(value.text)
    : value.type === 'image_url' && isObject(value.image_url) && isText(value.image_url.url));
