import { isObject, objectsOf, type JsonObject, invalidRequest, type ApiError } from '@tallyport/sandbox';

/** Refuses the first of these members that is present. */
export function refuseMembers(body: JsonObject, names: readonly string[]): ApiError | undefined {
  const given = names.find((name) => body[name] !== undefined && body[name] !== null);
  return given === undefined ? undefined : unsupported(given);
}

/** The first member that is not in the list; each vendor has its own error for it. */
export function unknownMember(body: JsonObject, known: readonly string[]): string | undefined {
  return Object.keys(body).find((name) => !known.includes(name));
}

/** The first of these members that a message has, as `messages.2.name`. */
export function messageMember({ messages }: JsonObject, names: readonly string[]): string | undefined {
  const found = objectsOf(messages).flatMap((message, index) =>
    names.filter((name) => name in message).map((name) => `messages.${index}.${name}`),
  );
  return found[0];
}

export const unsupported = (name: string): ApiError =>
  invalidRequest(`'${name}' is not supported by this model.`, name, 'unsupported_parameter');

export const isGiven = (body: JsonObject, name: string, value: unknown): boolean =>
  body[name] !== undefined && body[name] !== null && body[name] !== value;

/**
 * The thinking before a call must be sent back in all later requests: the index of the first message without it. Some models
 * take an empty text for none.
 */
export function callWithoutReasoning({ messages }: JsonObject, mayBeEmpty = true): number | undefined {
  const index = objectsOf(messages).findIndex(
    ({ tool_calls: calls, reasoning_content: thinking }) =>
      Array.isArray(calls) && (typeof thinking !== 'string' || (thinking === '' && !mayBeEmpty)),
  );
  return index < 0 ? undefined : index;
}

export const isThinking = (body: JsonObject, byDefault: boolean): boolean =>
  isObject(body.thinking) ? body.thinking.type !== 'disabled' : byDefault;

export const notJson = invalidRequest('The body of the request is not valid JSON.', null);
