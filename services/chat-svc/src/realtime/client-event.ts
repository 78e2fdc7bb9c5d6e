import { GatewayError } from '@tallyport/contracts';
import { memberValue, repeatsMember, structureProblem } from '@tallyport/wire';
import { z } from 'zod';

/** A message of a client: what it may cost. The message itself is passed on unchanged. */
export interface ClientEvent {
  /** `asks`: for a response. `speaks`: the vendor may begin a response by itself. */
  effect: 'asks' | 'speaks' | 'none';
  /** What it adds to the next response, in tokens. */
  adds: { text: number; audio: number };
  /** The limit of responses that it sets. */
  mostOutput?: number | undefined;
  /** The model that it names for the session. */
  model?: string | undefined;
  /** The model that writes audio down from now on, `null` for none; absent if it says nothing about that. */
  transcription?: string | null | undefined;
}

type Kind = Pick<ClientEvent, 'effect'> & { adds: 'text' | 'audio' | 'nothing'; reads?: 'session' | 'response' };

const silent = { effect: 'none', adds: 'nothing' } as const;

/** Those of a session with a model. Others could cost what is not known here. */
const kinds: Readonly<Record<string, Kind>> = {
  'session.update': { effect: 'none', adds: 'text', reads: 'session' },
  'input_audio_buffer.append': { effect: 'speaks', adds: 'audio' },
  'input_audio_buffer.commit': { effect: 'speaks', adds: 'nothing' },
  'input_audio_buffer.clear': silent,
  'output_audio_buffer.clear': silent,
  'conversation.item.create': { effect: 'none', adds: 'text' },
  'conversation.item.delete': silent,
  'conversation.item.retrieve': silent,
  'conversation.item.truncate': silent,
  'response.create': { effect: 'asks', adds: 'text', reads: 'response' },
  'response.cancel': silent,
};

/** Throws a GatewayError for a message that is not passed on. */
export function readRealtimeEvent(bytes: Buffer): ClientEvent {
  if (repeatsMember(bytes)) throw invalid('A member is there twice. Name each once.');
  const type = parsed(memberValue(bytes, 'type') ?? Buffer.from('null'));
  if (typeof type !== 'string') throw invalid('Send JSON objects with a `type`.');
  const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (kind === undefined) throw unknownType(type);
  const { effect, adds, reads } = kind;
  const event: ClientEvent = { effect, adds: tokensOf(bytes.length, adds) };
  if (reads === 'session') return { ...event, ...sessionIn(bytes) };
  return reads === 'response' ? { ...event, ...responseIn(bytes) } : event;
}

/** Instructions and tools. */
const largestRead = 1024 * 1024;

const charactersPerToken = 4;
/** Of base64, in the sparsest format. The densest has six times as many. */
const charactersPerAudioToken = 1_000;

function tokensOf(length: number, kind: Kind['adds']): ClientEvent['adds'] {
  if (kind === 'audio') return { text: 0, audio: Math.ceil(length / charactersPerAudioToken) };
  return { text: kind === 'text' ? Math.ceil(length / charactersPerToken) : 0, audio: 0 };
}

const limit = z.union([z.int().min(1), z.literal('inf')]).nullish();
const transcription = z
  .looseObject({ model: z.string().max(200) })
  .nullable()
  .optional();

const sessionSchema = z.looseObject({
  type: z.string().optional(),
  model: z.string().max(200).optional(),
  prompt: z.unknown().optional(),
  max_output_tokens: limit,
  max_response_output_tokens: limit,
  audio: z.looseObject({ input: z.looseObject({ transcription }).optional() }).nullish(),
  input_audio_transcription: transcription,
});

function sessionIn(bytes: Buffer): Pick<ClientEvent, 'model' | 'mostOutput' | 'transcription'> {
  const session = checked(sessionSchema, bytes, 'session');
  if (session.type !== undefined && session.type !== 'realtime')
    throw invalid('session.type: only "realtime" is served.');
  refusePrompt(session);
  const { model, max_output_tokens, max_response_output_tokens } = session;
  const mostOutput = numberOf(max_output_tokens ?? max_response_output_tokens);
  return { model, mostOutput, transcription: transcriptionIn(session) };
}

/** Both shapes have it in a place of their own. */
function transcriptionIn({
  audio,
  input_audio_transcription: before,
}: z.infer<typeof sessionSchema>): ClientEvent['transcription'] {
  const now = audio?.input?.transcription;
  if (now !== undefined && before !== undefined) throw invalid('session: name the transcription once.');
  const said = now === undefined ? before : now;
  return said === null ? null : said?.model;
}

const responseSchema = z.looseObject({ prompt: z.unknown().optional(), max_output_tokens: limit });

function responseIn(bytes: Buffer): Pick<ClientEvent, 'mostOutput'> {
  const response = checked(responseSchema, bytes, 'response');
  refusePrompt(response);
  return { mostOutput: numberOf(response.max_output_tokens) };
}

const numberOf = (value: number | 'inf' | null | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined;

function checked<Schema extends z.ZodType>(schema: Schema, bytes: Buffer, name: string): z.infer<Schema> {
  if (bytes.length > largestRead) throw invalid(`${name}: this event has more than ${largestRead} bytes. Send less.`);
  const value = parsed(memberValue(bytes, name) ?? Buffer.from('{}'));
  const problem = structureProblem(value);
  if (problem !== undefined) throw invalid(`${name}: it is ${problem}.`);
  const result = schema.safeParse(value ?? {});
  if (!result.success)
    throw invalid(`${[name, ...(result.error.issues[0]?.path ?? [])].join('.')}: this value is invalid.`);
  return result.data;
}

function refusePrompt({ prompt }: { prompt?: unknown }): void {
  if (prompt !== undefined && prompt !== null)
    throw invalid('prompt: prompts that are stored at OpenAI cannot be used here. Send the instructions.');
}

function parsed(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString());
  } catch {
    return undefined;
  }
}

const invalid = (message: string): GatewayError => new GatewayError('invalid_parameters', message);

const unknownType = (type: string): GatewayError =>
  invalid(`type: '${type.slice(0, 100)}' is no event of a realtime session that is served here.`);
