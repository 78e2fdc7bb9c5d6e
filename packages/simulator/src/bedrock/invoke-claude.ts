import {
  type ArrivedRequest,
  contentHash,
  type FamilySettings,
  isObject,
  jsonOf,
  type JsonObject,
  jsonReply,
  paceOf,
  type Piece,
  type Reply,
  type RouteAnswer,
  streamReply,
} from '@tallyport/sandbox';
import { findHostedFault, hostedAnswer } from '../anthropic/hosted.ts';
import { messageOf, type AnthropicAnswer } from '../anthropic/message.ts';
import type { AnthropicCache } from '../anthropic/prompt-cache.ts';
import { type AnthropicEvent, anthropicEvents } from '../anthropic/stream.ts';
import { claudeName } from './claude-strictness.ts';
import { bedrockErrorReply, type BedrockFinding, bedrockInvalid, requestId } from './errors.ts';
import { eventFrame } from './frame.ts';
import { refuseModel } from './model-names.ts';

const isStreamed = (path: string): boolean => path.endsWith('-with-response-stream');

/** Serves `invoke` and `invoke-with-response-stream` for Claude, in Anthropic's own format. */
export function answerInvokeClaude(
  { path, body: bytes }: ArrivedRequest,
  settings: FamilySettings,
  cache: AnthropicCache,
): RouteAnswer {
  const model = decodeURIComponent(path.split('/')[3] ?? '');
  const body = jsonOf(bytes.toString());
  const refused = (fault: NonNullable<BedrockFinding>) => ({ model, answer: bedrockErrorReply(fault) });
  if (!isObject(body)) return refused(bedrockInvalid('The request body is not valid JSON.'));
  const fault = refuseModel(model) ?? findInvokeFault(body, claudeName(model));
  if (fault) return refused(fault);
  const key = contentHash(`${path}\n${contentHash(bytes)}`);
  const stream = isStreamed(path);
  const place = {
    provider: 'aws-bedrock',
    idPrefix: 'msg_bdrk_',
    model: claudeName(model),
    stream,
    settings,
    key,
    cache,
  };
  const script = hostedAnswer(body, place);
  return {
    model,
    metered: script.use.metered,
    answer: write(script, { stream, pace: paceOf(model, settings.chunksPerSecond) }),
  };
}

/** The first error that the model would report for a body in its own format. */
export const findInvokeFault = (body: JsonObject, model: string): BedrockFinding =>
  checkEnvelope(body) ?? checkMessage(body, model);

/** The members that stand for Anthropic's headers. The path says whether the answer is a stream. */
function checkEnvelope({ anthropic_version: version, anthropic_beta: betas = [], stream }: JsonObject): BedrockFinding {
  if (version === undefined)
    return bedrockInvalid('Malformed input request: #: required key [anthropic_version] not found');
  if (version !== 'bedrock-2023-05-31') return bedrockInvalid('Invalid API version');
  if (stream !== undefined) return bedrockInvalid('stream: Extra inputs are not permitted');
  const known = Array.isArray(betas) && betas.every((beta) => acceptedBetas.has(beta));
  return known ? undefined : bedrockInvalid('invalid beta flag');
}

const acceptedBetas: ReadonlySet<unknown> = new Set([
  'compact-2026-01-12',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'dangerous-tool-use-2026-09-03',
  'effort-2025-11-24',
  'fine-grained-tool-streaming-2025-05-14',
  'interleaved-thinking-2025-05-14',
  'mid-conversation-output-config-2026-07-01',
  'mid-conversation-tool-changes-2026-07-01',
  'thinking-binding-controls-2026-08-01',
  'thinking-display-updates-2026-08-18',
  'token-efficient-tools-2025-02-19',
  'tool-examples-2025-10-29',
  'tool-search-tool-2025-10-19',
]);

const missingTools = /^(advisor|code_execution|mcp_toolset|web_fetch|web_search)/;

function checkMessage(body: JsonObject, model: string): BedrockFinding {
  const { anthropic_version: _version, anthropic_beta: betas, ...message } = body;
  const named = Array.isArray(betas) ? betas.map(String) : [];
  const fault = findHostedFault(message, { model, betas: named, missingTools });
  return fault && bedrockInvalid(fault.message);
}

function write(script: AnthropicAnswer, { stream, pace }: { stream: boolean; pace: ReturnType<typeof paceOf> }): Reply {
  const headers = { 'x-amzn-requestid': requestId, 'x-amzn-bedrock-invocation-latency': '1' };
  if (!stream) return jsonReply(200, messageOf(script), headers);
  // This cloud sends no pings.
  const events = anthropicEvents(script).filter(({ type }) => type !== 'ping');
  const reply = streamReply(
    events.map((event) => chunkFrame(withMetrics(event, script))),
    pace,
  );
  const types = {
    'content-type': 'application/vnd.amazon.eventstream',
    'x-amzn-bedrock-content-type': 'application/json',
  };
  return { ...reply, headers: { ...headers, ...types } };
}

/** One event of the model as base64. */
export const chunkFrame = ({ part, data }: Pick<AnthropicEvent, 'part' | 'data'>): Piece =>
  eventFrame(part, 'chunk', { bytes: Buffer.from(JSON.stringify(data)).toString('base64') });

/** The last event has the cloud's own figures. */
function withMetrics(event: AnthropicEvent, { use: { spent } }: AnthropicAnswer): AnthropicEvent {
  if (event.type !== 'message_stop') return event;
  const metrics = {
    inputTokenCount: spent.fresh,
    outputTokenCount: spent.visible + spent.reasoning,
    invocationLatency: 1,
    firstByteLatency: 1,
    cacheReadInputTokenCount: spent.cacheRead,
    cacheWriteInputTokenCount: spent.cacheWrite,
  };
  return { ...event, data: { ...event.data, 'amazon-bedrock-invocationMetrics': metrics } };
}
