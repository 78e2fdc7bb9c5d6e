import { expect } from 'vitest';
import type { NamedFamily } from '../clients/families.ts';
import type { Rig } from '../clients/rig.ts';
import { type ClientApi, clientApis } from './apis/client-apis.ts';
import type { Call, Part, Question } from './turns.ts';

/** One family of vendors behind one API of clients. */
export interface Conversation {
  family: NamedFamily;
  api: ClientApi;
  rig: Rig;
  /** Sends a question and reads the whole answer, which must be a success. */
  ask(question: Omit<Question, 'model'>): Promise<Part[]>;
}

export function conversationWith(family: NamedFamily, api: ClientApi, rig: Rig): Conversation {
  const { path, body, whole, streamed } = clientApis[api];
  return {
    family,
    api,
    rig,
    async ask(asked) {
      const question = { ...asked, model: family.name };
      const { text } = await post(rig, path(question), body(question));
      return merged(question.stream ? streamed(eventsIn(text)) : whole(text));
    },
  };
}

/** Sends a request, whose answer must be a success. */
export async function post({ gateway }: Rig, path: string, body: object): Promise<{ headers: Headers; text: string }> {
  const response = await fetch(gateway.baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.apiKey}` },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect({ status: response.status, ...(response.status !== 200 && { text }) }).toEqual({ status: 200 });
  return { headers: response.headers, text };
}

const eventsIn = (text: string): string[] =>
  [...text.matchAll(/^data: ?(.*)$/gm)].map(([, data = '']) => data).filter((data) => data !== '[DONE]');

/** Texts in a row are one text. */
function merged(parts: readonly Part[]): Part[] {
  const found: Part[] = [];
  for (const part of parts) {
    const last = found.at(-1);
    if (!('text' in part)) found.push(part);
    else if (last !== undefined && 'text' in last) last.text += part.text;
    else if (part.text !== '') found.push({ ...part });
  }
  return found;
}

export const callsIn = (parts: readonly Part[]): Call[] => parts.flatMap((part) => ('call' in part ? [part.call] : []));

export const textIn = (parts: readonly Part[]): string =>
  parts.map((part) => ('text' in part ? part.text : '')).join('');
