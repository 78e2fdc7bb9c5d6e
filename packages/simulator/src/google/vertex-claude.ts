import {
  type ArrivedRequest,
  contentHash,
  createReplyCache,
  type FamilySettings,
  isObject,
  jsonOf,
  type JsonObject,
  jsonReply,
  paceOf,
  type RouteAnswer,
  streamReply,
} from '@tallyport/sandbox';
import { messageTokens, withLimit } from '../anthropic/count-tokens.ts';
import { anthropicErrorReply, anthropicInvalid, type AnthropicFinding } from '../anthropic/errors.ts';
import { findHostedFault, hostedAnswer } from '../anthropic/hosted.ts';
import { messageOf } from '../anthropic/message.ts';
import { type AnthropicCache, createAnthropicCache, hasCacheMarks } from '../anthropic/prompt-cache.ts';
import { anthropicStream } from '../anthropic/stream.ts';

/** Serves `rawPredict` and `streamRawPredict` of Claude, in Anthropic's own format. */
export function createVertexClaude(settings: FamilySettings): (request: ArrivedRequest) => RouteAnswer {
  const cache = createReplyCache();
  const prompts = createAnthropicCache(settings.now);
  return (request) => {
    const betas = String(request.headers['anthropic-beta'] ?? '');
    const key = contentHash(`${request.path}\n${betas}\n${contentHash(request.body)}`);
    const answer = () => answerPredict(request, { settings, prompts, key });
    return hasCacheMarks(request) ? answer() : (cache.get(key) ?? cache.keep(key, answer()));
  };
}

function answerPredict(
  { path, headers, body: bytes }: ArrivedRequest,
  { settings, prompts, key }: { settings: FamilySettings; prompts: AnthropicCache; key: string },
): RouteAnswer {
  const model = claudeName(decodeURIComponent(/models\/([^/:]+):/.exec(path)?.[1] ?? ''));
  const body = jsonOf(bytes.toString());
  const refused = (fault: NonNullable<AnthropicFinding>) => ({ model, answer: anthropicErrorReply(fault) });
  if (!isObject(body)) return refused(anthropicInvalid('The request body is not valid JSON'));
  const betas = betasIn(headers);
  const { anthropic_version: version, ...message } = body;
  const fault =
    checkVersion(version) ??
    checkBetas(betas) ??
    checkStream(body, path) ??
    findHostedFault(message, { model, betas, missingTools });
  if (fault) return refused(fault);
  const stream = body.stream === true;
  const script = hostedAnswer(body, {
    provider: 'google-vertex',
    idPrefix: 'msg_vrtx_',
    model,
    stream,
    settings,
    key,
    cache: prompts,
  });
  const pace = paceOf(model, settings.chunksPerSecond);
  return {
    model,
    metered: script.use.metered,
    answer: stream ? streamReply(anthropicStream(script), pace) : jsonReply(200, messageOf(script)),
  };
}

/** `count-tokens:rawPredict`, where the body names the model. */
export function countVertexClaude({ headers, body: bytes }: ArrivedRequest): RouteAnswer {
  const body = jsonOf(bytes.toString());
  if (!isObject(body)) return { answer: anthropicErrorReply(anthropicInvalid('The request body is not valid JSON')) };
  const { anthropic_version: version, model: named, ...message } = body;
  const model = claudeName(String(named));
  const betas = betasIn(headers);
  const fault =
    checkVersion(version) ?? checkBetas(betas) ?? findHostedFault(withLimit(message), { model, betas, missingTools });
  return {
    model,
    answer: fault ? anthropicErrorReply(fault) : jsonReply(200, { input_tokens: messageTokens(message) }),
  };
}

/** `claude-opus-4-6@default` and `claude-sonnet-4-5@20250929` without the mark of a version. */
const claudeName = (model: string): string => model.replace('@default', '').replace('@', '-');

const betasIn = (headers: ArrivedRequest['headers']): readonly string[] =>
  String(headers['anthropic-beta'] ?? '')
    .split(/\s*,\s*/)
    .filter((beta) => beta !== '');

const checkVersion = (version: unknown): AnthropicFinding => {
  if (version === 'vertex-2023-10-16') return undefined;
  return anthropicInvalid(version === undefined ? 'anthropic_version: Field required' : 'Invalid API version');
};

const acceptedBetas: ReadonlySet<string> = new Set([
  'compact-2026-01-12',
  'computer-use-2025-01-24',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'interleaved-thinking-2025-05-14',
  'tool-search-tool-2025-10-19',
  'web-search-2025-03-05',
]);

function checkBetas(betas: readonly string[]): AnthropicFinding {
  const unknown = betas.find((beta) => !acceptedBetas.has(beta));
  return unknown === undefined
    ? undefined
    : anthropicInvalid(`Unexpected value(s) \`${unknown}\` for the \`anthropic-beta\` header.`);
}

/** The method and the body both say whether the answer is a stream. */
const checkStream = ({ stream }: JsonObject, path: string): AnthropicFinding =>
  (stream === true) === path.endsWith(':streamRawPredict')
    ? undefined
    : anthropicInvalid('stream: does not match the method');

const missingTools = /^(advisor|code_execution|mcp_toolset|web_fetch)/;
