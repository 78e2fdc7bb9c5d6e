import { GatewayError, type Model, type Offer, samplingParameters } from '@tallyport/contracts';
import {
  type ChatCall,
  type ChatProvider,
  findChatProvider,
  findImageProvider,
  type ImageCall,
  type ImageProvider,
} from '@tallyport/providers';
import type { ChatRequest } from '@tallyport/wire';
import type { Targets } from '../targets/targets.ts';

/** The member of a request that an offer's provider would not get; `undefined` if it gets all. */
export type Untaken = (model: Model, offer: Offer) => string | undefined;

/**
 * For chats. A member is taken if the provider would be sent another request without it, and if the catalogue does not
 * know that the model ignores it. Throws `invalid_parameters` if there are too many members to try each.
 */
export function untakenOfChat(
  { request, stream }: Pick<ChatCall, 'request' | 'stream'>,
  targets: Partial<Pick<Targets, 'custom'>>,
): Untaken {
  const outline = outlineOf(request);
  const names = Object.keys(outline).filter((name) => !isFollowed.has(name) && isAsked(name, outline[name]));
  if (names.length > mostMembers || JSON.stringify(outline).length > longestOutline) throw tooMuch();
  return (model, offer) => {
    const ignored = names.find((name) => isIgnored(name, model));
    if (ignored !== undefined || names.length === 0) return ignored;
    const provider: ChatProvider | undefined = findChatProvider(offer.providerId) ?? targets.custom?.(offer.providerId);
    return firstUntaken(outline, names, (call) => provider?.request({ request: call, stream }, offer));
  };
}

/** For images. What the gateway does itself, such as sizes and formats, every provider has. */
export const untakenOfImages =
  (call: ImageCall, targets: Partial<Pick<Targets<ImageProvider>, 'custom'>>): Untaken =>
  (_model, offer) => {
    const provider = findImageProvider(offer.providerId) ?? targets.custom?.(offer.providerId);
    const names = imageMembers.filter((name) => call[name] !== undefined && call[name] !== 'auto');
    const untaken =
      names.length === 0 ? undefined : firstUntaken(call, names, (each) => provider?.request(each, offer));
    return untaken?.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  };

const imageMembers = ['quality', 'complexity', 'background', 'inputFidelity', 'partialImages', 'style'] as const;

/** Trying each of as many takes a millisecond for an offer. */
const mostMembers = 16;
const longestOutline = 16 * 1024;

const tooMuch = (): GatewayError => {
  const param = 'provider.require_parameters';
  const message = `'${param}' is possible with up to ${mostMembers} members of ${longestOutline} characters in all, besides messages and tools.`;
  return new GatewayError('invalid_parameters', message, { param });
};

/** The request without its content and what depends on that; whether offers support tools and formats is checked anyway. */
function outlineOf({ messages: _messages, tools, ...rest }: ChatRequest): ChatRequest {
  const {
    functions: _functions,
    tool_choice: _choice,
    function_call: _call,
    response_format: _format,
    ...members
  } = rest;
  const hasTools = (tools?.length ?? 0) > 0;
  return { ...members, messages: [{ role: 'user', content: 'Hi' }], ...(hasTools && { tools: [anyTool] }) };
}

const anyTool = {
  type: 'function' as const,
  function: { name: 'act', parameters: { type: 'object', properties: {} } },
};

/** Members that the gateway follows itself, whose support is checked for every request, or that only label it. */
const isFollowed: ReadonlySet<string> = new Set([
  'audio',
  'image_config',
  'logprobs',
  'max_completion_tokens',
  'max_tokens',
  'messages',
  'metadata',
  'modalities',
  'model',
  'models',
  'n',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'provider',
  'safety_identifier',
  'session_id',
  'stream',
  'stream_options',
  'tools',
  'top_logprobs',
  'trace',
  'usage',
  'user',
]);

/** What requests mean without the member. */
const defaults: Readonly<Record<string, unknown>> = {
  frequency_penalty: 0,
  parallel_tool_calls: true,
  presence_penalty: 0,
  service_tier: 'auto',
  temperature: 1,
  top_p: 1,
};

function isAsked(name: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === defaults[name]) return false;
  if (value === false) return name in defaults;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** Of other members, the catalogue knows nothing. */
const isIgnored = (name: string, { supportedParameters: known }: Model): boolean =>
  known.length > 0 && samplingParameters.includes(name) && !known.includes(name);

function firstUntaken<Call extends object>(
  call: Call,
  names: readonly (string & keyof Call)[],
  requestFor: (call: Call) => object | undefined,
): string | undefined {
  const sent = (each: Call): string | undefined => {
    try {
      return JSON.stringify(requestFor(each));
    } catch {
      return undefined;
    }
  };
  const whole = sent(call);
  if (whole === undefined) return names[0];
  return names.find((name) => sent(without(call, name)) === whole);
}

/** Both say how much to think, and one of them is enough. */
const ofThinking = ['reasoning', 'reasoning_effort'];

function without<Call extends object>(call: Call, name: string): Call {
  const left = ofThinking.includes(name) ? ofThinking : [name];
  return Object.fromEntries(Object.entries(call).filter(([each]) => !left.includes(each))) as Call;
}
