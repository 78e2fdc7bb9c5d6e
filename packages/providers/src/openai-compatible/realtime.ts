import type { SocketMessage } from '@tallyport/wire';
import type { RealtimeFormat } from '../spec/call-formats.ts';

/** OpenAI's realtime sessions. One that transcribes is opened without a model, which its client names in it. */
export const openAiRealtime: RealtimeFormat = {
  api: 'realtime',
  request: ({ beta, transcribes }, { modelName }) => ({
    method: 'GET',
    path: `/realtime?${transcribes ? 'intent=transcription' : `model=${encodeURIComponent(modelName)}`}`,
    headers: { ...(beta !== undefined && { 'openai-beta': beta }) },
    body: '',
  }),
  refusal(first) {
    const error = errorIn(first);
    return error && { status: statusOf(error), body: { error } };
  },
};

interface EventError {
  type?: unknown;
  code?: unknown;
}

function errorIn(first: SocketMessage): EventError | undefined {
  if (first.kind === 'close') return undefined;
  const event = parsed(first.bytes.toString('utf8', 0, mostReadBytes));
  if (typeof event !== 'object' || event === null || !('type' in event) || event.type !== 'error') return undefined;
  return 'error' in event && typeof event.error === 'object' && event.error !== null ? event.error : {};
}

/** The first message describes the session: instructions and tools are not in it yet. */
const mostReadBytes = 64 * 1024;

/** Events have no status. */
function statusOf({ type, code }: EventError): number {
  if (code === 'invalid_api_key') return 401;
  if (code === 'model_not_found') return 404;
  if (type === 'insufficient_quota' || code === 'insufficient_quota') return 429;
  if (code === 'rate_limit_exceeded') return 429;
  return type === 'invalid_request_error' ? 400 : 500;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
