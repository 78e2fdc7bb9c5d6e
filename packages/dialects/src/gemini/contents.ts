import type { ChatMessage, UserPart } from '@tallyport/wire';
import type { ContentBody, PartBody } from './content-schema.ts';
import { toAssistantMessages } from './model-turn.ts';
import { createPendingCalls, type PendingCalls } from './pending-calls.ts';
import type { PlacedPart } from './placed-part.ts';
import { refuseMember } from '../refuse-member.ts';
import { inlinePart, linkedPart } from '../media-parts.ts';

interface Turn {
  isModel: boolean;
  parts: PlacedPart[];
}

/** The contents of a conversation as messages. Contents of one role in a row are one turn. */
export function contentMessages(contents: readonly ContentBody[]): ChatMessage[] {
  const calls = createPendingCalls();
  return turnsOf(contents).flatMap(({ isModel, parts }) =>
    isModel ? toAssistantMessages(parts, calls) : userMessages(parts, calls),
  );
}

function turnsOf(contents: readonly ContentBody[]): Turn[] {
  const turns: Turn[] = [];
  for (const [at, { role, parts }] of contents.entries()) {
    const isModel = role === 'model';
    let turn = turns.at(-1);
    if (turn?.isModel !== isModel) turns.push((turn = { isModel, parts: [] }));
    for (const [index, part] of (parts ?? []).entries()) {
      turn.parts.push({ part, path: `contents[${at}].parts[${index}]` });
    }
  }
  return turns;
}

/** Responses of functions first: they have to follow the message with their calls. */
function userMessages(placed: readonly PlacedPart[], calls: PendingCalls): ChatMessage[] {
  const results: ChatMessage[] = [];
  const parts: UserPart[] = [];
  for (const one of placed) {
    const { part, path } = one;
    // Gemini CLI sends the results of a session that it continues twice.
    if (part.functionResponse && calls.isRepeated(part.functionResponse)) continue;
    results.push(...resultMessage(part, path, calls));
    parts.push(...partsOf(one));
  }
  const [only] = parts;
  if (only === undefined) return results;
  const content = parts.length === 1 && only.type === 'text' ? only.text : parts;
  return [...results, { role: 'user', content }];
}

function resultMessage({ functionResponse: sent }: PartBody, path: string, calls: PendingCalls): ChatMessage[] {
  if (!sent) return [];
  const id = calls.take(sent);
  if (id === undefined) {
    return refuseMember(
      `${path}.functionResponse`,
      `no earlier functionCall of ${sent.name.slice(0, 64)} waits for it`,
    );
  }
  return [{ role: 'tool', tool_call_id: id, content: JSON.stringify(sent.response ?? {}) }];
}

function partsOf({ part, path }: PlacedPart): UserPart[] {
  const { text, inlineData, fileData, functionCall, functionResponse } = part;
  if (functionCall) return refuseMember(`${path}.functionCall`, 'is only allowed in contents of the role model');
  if (inlineData) return [inlinePart(inlineData, `${path}.inlineData.mimeType`)];
  if (fileData) {
    const { fileUri: uri, mimeType } = fileData;
    return [linkedPart({ uri, mimeType }, { uri: `${path}.fileData.fileUri`, type: `${path}.fileData.mimeType` })];
  }
  // A message of a tool is text, so its media follow in the user's message.
  if (functionResponse?.parts) {
    return functionResponse.parts.map((media, index) =>
      inlinePart(media.inlineData, `${path}.functionResponse.parts[${index}].inlineData.mimeType`),
    );
  }
  return text ? [{ type: 'text', text }] : [];
}
