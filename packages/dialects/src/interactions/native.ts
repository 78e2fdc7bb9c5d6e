import type { ChatRequest } from '@tallyport/wire';
import { editMembers, listElements, memberValue, repeatsMember } from '@tallyport/wire';
import type { DialectRequest } from '../dialect.ts';
import { tierOfGemini } from '../gemini/request.ts';
import { isPublic } from '../media-parts.ts';
import { outlineOf, type PassedRequest, type ReadEither, readEither, tokenLimit } from '../passed-request.ts';
import { isPlainObject, type PlainObject } from '../plain-object.ts';
import { stepsOfInput } from './input.ts';
import { isStepContent } from './step-schema.ts';

interface ArrivedInteraction extends Pick<DialectRequest, 'body' | 'bytes'> {
  /** The steps of the interactions that it continues. */
  earlier: readonly unknown[];
}

/** The request as a chat, and as it is for Google's own API, with the conversation that it continues. */
export const readInteractionRequest = (
  request: ArrivedInteraction,
  translate: () => ChatRequest,
): ReadEither<ChatRequest> => readEither({ passed: passedRequest(request), translate, outline });

function outline({ members, model, limit }: PassedRequest): ChatRequest {
  const { system_instruction: instruction, input, tools, stream, service_tier: tier } = members;
  return outlineOf({
    model,
    limit,
    stream: stream === true,
    prompt: [instruction, input, tools],
    tier: tierOfGemini(tier),
  });
}

/** `undefined` if it must not be passed on. */
function passedRequest({ body, bytes, earlier }: ArrivedInteraction): PassedRequest | undefined {
  if (!isPlainObject(body) || typeof body.model !== 'string' || body.model === '') return undefined;
  const config = isPlainObject(body.generation_config) ? body.generation_config : {};
  if (concernsAccount(body) || namesStoredFile(body.input)) return undefined;
  // The translation refuses it; passed on, it would be left out.
  if (body.previous_interaction_id != null && typeof body.previous_interaction_id !== 'string') return undefined;
  // The vendor could read the one that was not checked.
  if (repeatsMember(bytes)) return undefined;
  // The vendor may read either spelling of a name, and only one is checked here.
  if (hasCamelName(body) || hasCamelName(config)) return undefined;
  return {
    dialect: 'gemini-interactions',
    ...withEarlierSteps({ body, bytes }, earlier),
    headers: {},
    model: body.model,
    limit: tokenLimit(config.max_output_tokens),
  };
}

/** Members that concern the account with the vendor, which belongs to the gateway: other accounts could read what it keeps. */
const concernsAccount = (body: PlainObject): boolean =>
  accountMembers.some((name) => body[name] != null) ||
  (body.background ?? false) !== false ||
  body.service_tier === 'deferred' ||
  listed(body.tools).some((tool) => isPlainObject(tool) && storedTools.has(tool.type));

const accountMembers = ['agent', 'agent_config', 'cached_content', 'environment', 'webhook_config'] as const;

const storedTools: ReadonlySet<unknown> = new Set(['file_search', 'retrieval']);

const hasCamelName = (value: PlainObject): boolean => Object.keys(value).some((name) => /[A-Z]/.test(name));

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A file in a content of a step or of a function's result. Public addresses are no stored files. */
function namesStoredFile(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(namesStoredFile);
  if (!isPlainObject(value)) return false;
  const { uri, content, result, summary } = value;
  const isStored = isStepContent(value) && uri != null && !isPublic(uri);
  // What a function returned may be any object.
  return isStored || [content, summary, listed(result)].some(namesStoredFile);
}

/** The body with its conversation in its input, so that the vendor needs no ids of ours. The client's own steps keep every byte. */
function withEarlierSteps({ body, bytes }: { body: PlainObject; bytes: Buffer }, earlier: readonly unknown[]) {
  if (body.previous_interaction_id == null && earlier.length === 0) return { body: bytes, members: body };
  const { previous_interaction_id: _previous, ...others } = body;
  const before = earlier.map((step) => JSON.stringify(step));
  const input = `[${[...before, ...ownSteps(bytes)].join()}]`;
  const removed = new Set(['input', 'previous_interaction_id']);
  return {
    body: editMembers(bytes, { removed, added: { input } }),
    members: { ...others, input: [...earlier, ...stepsOfInput(body)] },
  };
}

const quote = 0x22;
const brace = 0x7b;

/** The input as the texts of steps. */
function ownSteps(bytes: Buffer): string[] {
  const input = memberValue(bytes, 'input') ?? Buffer.from('[]');
  if (input[0] === quote) return [askedWith(`[{"type":"text","text":${input.toString()}}]`)];
  if (input[0] === brace) return [askedWith(`[${input.toString()}]`)];
  const [first] = listElements(input);
  if (first !== undefined && isStepContent(JSON.parse(first.toString()))) return [askedWith(input.toString())];
  return listElements(input).map(String);
}

const askedWith = (content: string): string => `{"type":"user_input","content":${content}}`;
