import type { ChatRequest } from '@tallyport/wire';
import { parseExactJson } from '@tallyport/wire';
import type { DialectEvent, DialectRequest } from '../../dialect.ts';
import type { PlainObject } from '../../plain-object.ts';
import { geminiInteractions, type InteractionCall, type InteractionsState } from '../index.ts';
import { createStepFold } from '../step-fold.ts';

export const bodyOf = (members: object = {}): object => ({ model: 'gemini-3-pro', input: 'Hi', ...members });

/** A body as it arrives, or its text. */
export function requestOf(body: unknown): DialectRequest {
  const json = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  return {
    bytes: Buffer.from(json),
    body: parseExactJson(json),
    path: '',
    query: new URLSearchParams(),
    headers: {},
    now: () => 1,
    newId: () => '0123456789abcdef0123456789abcdef',
  };
}

export const readBody = (body: unknown, state?: InteractionsState): InteractionCall =>
  geminiInteractions.read(requestOf(body), state);

/** The request for providers with another API. Throws why there is none. */
export function translatedOf(body: unknown, state?: InteractionsState): ChatRequest {
  const { chat, untranslatable } = readBody(body, state);
  if (untranslatable !== undefined) throw untranslatable;
  return chat;
}

/** The steps that the events of a stream amount to. */
export function foldedSteps(events: readonly DialectEvent[]): PlainObject[] | undefined {
  const fold = createStepFold(1_000_000);
  for (const { event = '', data } of events) fold.event(event, JSON.parse(JSON.stringify(data)));
  return fold.whole();
}
