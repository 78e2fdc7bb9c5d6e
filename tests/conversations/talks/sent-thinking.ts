import { isObject, type JsonObject, objectsOf } from '../../../packages/sandbox/src/index.ts';

/** What a request to a vendor has of the model's earlier answers. */
interface SentThinking {
  /** Answers with calls. */
  callers: number;
  /** Those among them without their thinking or its signature. */
  bare: number;
  /** Texts without the signature that Gemini 3 gives them. */
  unsignedTexts: number;
}

/** Reads a request in any vendor's format. */
export function sentThinking(body: JsonObject): SentThinking {
  const answers = [...objectsOf(body.messages), ...objectsOf(body.contents)].filter(
    ({ role }) => role === 'assistant' || role === 'model',
  );
  const callers = [...answers.filter(hasCalls).map(hasThinking), ...itemsWithCalls(objectsOf(body.input))];
  const unsignedTexts = objectsOf(body.contents).flatMap(unsignedIn).length;
  return { callers: callers.length, bare: callers.filter((isKept) => !isKept).length, unsignedTexts };
}

/** For each call of the Responses or the Interactions API, whether its thinking is in front of it. */
const itemsWithCalls = (items: readonly JsonObject[]): boolean[] =>
  items.flatMap(({ type }, index) => {
    const { encrypted_content: sealed, signature } = items[index - 1] ?? {};
    return type === 'function_call' ? [typeof (sealed ?? signature) === 'string'] : [];
  });

const hasCalls = (answer: JsonObject): boolean =>
  objectsOf(answer.tool_calls).length > 0 ||
  objectsOf(answer.content).some(({ type, toolUse }) => type === 'tool_use' || isObject(toolUse)) ||
  objectsOf(answer.parts).some(({ functionCall }) => isObject(functionCall));

function hasThinking(answer: JsonObject): boolean {
  const { content, reasoning_content: long, reasoning: short, reasoning_details: details, parts } = answer;
  const [call] = objectsOf(parts).filter(({ functionCall }) => isObject(functionCall));
  if (call !== undefined) return isSignature(call.thoughtSignature);
  if (objectsOf(content).some(isThought) || objectsOf(details).length > 0) return true;
  return [long, short, content].some((text) => typeof text === 'string' && text.includes(simulatedThinking));
}

/** The simulator checks the signatures. */
const isThought = ({ type, reasoningContent }: JsonObject): boolean =>
  type === 'thinking' || isObject(reasoningContent);

/** In all thinking of the simulated models. */
const simulatedThinking = 'The user asks: ';

const isSignature = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value !== 'skip_thought_signature_validator';

/** Only the last text of an answer is signed. */
function unsignedIn({ role, parts }: JsonObject): JsonObject[] {
  const texts = objectsOf(parts).filter(
    ({ text, thought }) => typeof text === 'string' && text !== '' && thought !== true,
  );
  const isSigned = objectsOf(parts).some(
    ({ text, thoughtSignature }) => text !== undefined && isSignature(thoughtSignature),
  );
  return role !== 'model' || isSigned ? [] : texts.slice(-1);
}
