import type { Offer } from '@tallyport/contracts';
import type { NativeRequest } from '@tallyport/wire';
import { items, type Members, members } from '../read.ts';
import { acceptedBetas } from './hosted-request.ts';
import { fitsModel } from './native-fit.ts';

/** Members of a request that every cloud with Anthropic's models accepts. They refuse any other by name. */
const accepted: ReadonlySet<string> = new Set([
  'context_management',
  'max_tokens',
  'messages',
  'metadata',
  'output_config',
  'stop_sequences',
  'stream',
  'system',
  'temperature',
  'thinking',
  'tool_choice',
  'tools',
  'top_k',
  'top_p',
]);

/** Another vendor's cloud with Anthropic's models. */
interface HostingCloud {
  /** The betas that it has. */
  betas: ReadonlySet<string>;
  /** The members that are not sent to it. */
  removed: ReadonlySet<string>;
}

/** Whether a model in the cloud is known to accept the request without the members that are removed. */
export const fitsHosted = (request: NativeRequest, offer: Offer, { betas, removed }: HostingCloud): boolean =>
  Object.keys(request.members).every((name) => accepted.has(name) || removed.has(name)) &&
  hasBetaForContext(request, betas) &&
  fitsModel(request, offer);

/** The clouds know the member only with its beta, which some clients leave out. */
const hasBetaForContext = (request: NativeRequest, betas: ReadonlySet<string>): boolean =>
  request.members.context_management == null ||
  acceptedBetas(request, betas).some((beta) => beta.startsWith('context-management-'));

/**
 * Whether a request needs Anthropic's own services: MCP servers, files behind URLs, or tools of these kinds that the
 * vendor runs itself. Their calls and results in the conversation are of the same kinds.
 */
export function usesServices({ members: body }: NativeRequest, kinds: RegExp): boolean {
  if (body.mcp_servers != null) return true;
  const blocks = items(body.messages).flatMap((message) => items(members(message).content).map(members));
  return isOfKind(items(body.tools).map(members), kinds) || isOfKind(blocks, kinds) || blocks.some(hasUrl);
}

const isOfKind = (typed: readonly Members[], kinds: RegExp): boolean =>
  typed.some(({ type }) => typeof type === 'string' && kinds.test(type));

/** An image or a document that would have to be downloaded, also in the result of a tool. */
const hasUrl = ({ source, content }: Members): boolean =>
  members(source).type === 'url' || items(content).map(members).some(hasUrl);
