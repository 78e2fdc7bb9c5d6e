import { isObject, type JsonObject, objectsOf } from '@tallyport/sandbox';
import { bedrockInvalid, type BedrockFinding } from './errors.ts';

/** The ids of calls and results. Some models generate ids of another form, and accept only those besides. */
export function checkCallIds({ messages }: JsonObject, model: string): BedrockFinding {
  const wrong = objectsOf(messages)
    .flatMap(({ content }) => objectsOf(content))
    .map(({ toolUse, toolResult }) => toolUse ?? toolResult)
    .filter(isObject)
    .map(({ toolUseId }) => String(toolUseId))
    .find((id) => !accepted.test(id) && !(/moonshot/.test(model) && ofMoonshot.test(id)));
  return wrong === undefined
    ? undefined
    : bedrockInvalid(
        `Value '${wrong}' at 'toolUseId' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+`,
      );
}

const accepted = /^[a-zA-Z0-9_-]{1,64}$/;
const ofMoonshot = /^functions\.[a-zA-Z0-9_-]+:\d+$/;
