import { functionName, invalidRequest, isObject, type JsonObject, objectsOf } from '@tallyport/sandbox';
import { findFirst } from '../finding.ts';
import type { OpenAiFinding } from './value-checks.ts';

const longestId = 40;
export const acceptedName = /^[a-zA-Z0-9_-]{1,64}$/;

/** The calls of earlier turns: names have the form of offered ones, and OpenAI itself limits the length of ids. */
export function checkOpenAiCalls(messages: unknown, { limitsIds }: { limitsIds: boolean }): OpenAiFinding {
  return findFirst(objectsOf(messages), ({ tool_calls: calls, tool_call_id: id }, index) => {
    const at = `messages[${index}]`;
    return (
      (limitsIds ? checkId(id, `${at}.tool_call_id`) : undefined) ??
      findFirst(objectsOf(calls), (call, place) => checkCall(call, { at: `${at}.tool_calls[${place}]`, limitsIds }))
    );
  });
}

function checkCall(call: JsonObject, { at, limitsIds }: { at: string; limitsIds: boolean }): OpenAiFinding {
  const name = functionName(call);
  const wrong = limitsIds ? checkId(call.id, `${at}.id`) : undefined;
  if (wrong !== undefined) return wrong;
  const isAccepted = !isObject(call.function) || (name !== undefined && acceptedName.test(name));
  return isAccepted ? undefined : wrongName(`${at}.function.name`);
}

function checkId(id: unknown, param: string): OpenAiFinding {
  if (typeof id !== 'string' || id.length <= longestId) return undefined;
  return invalidRequest(
    `Invalid '${param}': string too long. Expected a string with maximum length ${longestId}, but got a string with length ${id.length} instead.`,
    param,
    'string_above_max_length',
  );
}

export const wrongName = (param: string) =>
  invalidRequest(
    `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
    param,
    'invalid_value',
  );
