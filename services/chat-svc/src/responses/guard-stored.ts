import { type ListedItem, readStoredItems } from '@tallyport/dialects';
import { type GuardedExchange, guardPart, type GuardrailTools } from '@tallyport/serving';
import { z } from 'zod';

/** The texts of a stored response. */
export interface StoredTexts {
  input: ListedItem[];
  output: ListedItem[];
}

/** Returns the texts of stored responses after the rules of the caller. Throws `guardrail_blocked`. */
export type GuardStored = (responses: readonly StoredTexts[]) => Promise<readonly StoredTexts[]>;

/**
 * Rules may have changed since a response was stored, and another key may have stored it: outputs are under the
 * caller's rules for answers, and all texts under those for requests. All responses are one document, so that rules
 * have the time of one request.
 */
export const guardStored =
  (guardrails: GuardrailTools, exchange: GuardedExchange): GuardStored =>
  async (responses) => {
    const rules = guardrails.of(exchange.head.principal);
    if (responses.length === 0 || rules === undefined) return responses;
    const outputs = await guardAnswers(
      guardrails,
      exchange,
      responses.map(({ output }) => output),
    );
    const texts = [...responses.map(({ input }) => input), ...outputs];
    const guarded =
      rules.request === undefined ? texts : await guardItems(guardrails, exchange, { part: 'request', texts });
    return responses.map((_, at) => ({ input: guarded[at] ?? [], output: guarded[responses.length + at] ?? [] }));
  };

/** The items of a conversation, or some of them, in their order. */
export async function guardConversation(
  guard: GuardStored,
  items: readonly ListedItem[],
): Promise<readonly ListedItem[]> {
  const guarded = await guard(
    items.map((item) => (isAnswer(item) ? { input: [], output: [item] } : { input: [item], output: [] })),
  );
  return guarded.flatMap(({ input, output }) => [...input, ...output]);
}

const isAnswer = ({ type, role }: ListedItem): boolean =>
  type === 'message'
    ? role === 'assistant'
    : !/(_output|_response|^additional_tools|^configuration_update)$/.test(String(type));

/** The outputs of stored responses after the caller's rules for answers. */
export async function guardAnswers(
  guardrails: GuardrailTools,
  exchange: GuardedExchange,
  outputs: readonly ListedItem[][],
): Promise<readonly ListedItem[][]> {
  if (guardrails.of(exchange.head.principal)?.answer === undefined) return outputs;
  const texts = outputs.map((output) => output.map(withoutLogprobs));
  return guardItems(guardrails, exchange, { part: 'answer', texts });
}

interface ItemLists {
  part: 'answer' | 'request';
  texts: readonly ListedItem[][];
}

/** A guard keeps the form of what it inspects. */
const guardedSchema = z.object({ texts: z.array(z.array(z.unknown())) });

async function guardItems(
  guardrails: GuardrailTools,
  exchange: GuardedExchange,
  { part, texts }: ItemLists,
): Promise<ListedItem[][]> {
  const document = { texts: texts.map((items) => items.map(withoutImage)) };
  const guarded = guardedSchema.parse(await guardPart(guardrails, exchange, { part, document }));
  return guarded.texts.map(
    (items, list) => readStoredItems(items.map((item, at) => withImage(item, texts[list]?.[at]))) ?? [],
  );
}

const isImage = (item: ListedItem | undefined): item is ListedItem => item?.['type'] === 'image_generation_call';

/** The base64 of an image is no text. */
const withoutImage = (item: ListedItem): ListedItem => (isImage(item) ? { ...item, result: null } : item);

const withImage = (guarded: unknown, item: ListedItem | undefined): unknown =>
  isImage(item) && typeof guarded === 'object' ? { ...guarded, result: item['result'] } : guarded;

/** They repeat the text. */
const withoutLogprobs = (item: ListedItem): ListedItem =>
  Array.isArray(item['content']) ? { ...item, content: item['content'].map(withoutOwnLogprobs) } : item;

const withoutOwnLogprobs = (part: unknown): unknown =>
  typeof part === 'object' && part !== null && 'logprobs' in part ? { ...part, logprobs: [] } : part;
