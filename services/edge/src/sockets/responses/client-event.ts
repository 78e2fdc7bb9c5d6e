import { GatewayError } from '@tallyport/contracts';
import { editMembers, memberValues } from '@tallyport/wire';

/** What a client asks for with one message. */
type ClientEvent = CreateEvent | SteerEvent;

export interface CreateEvent {
  type: 'response.create';
  /** The `stream_id`: requests of one lane are served in their order. */
  lane: string | undefined;
  /** `generate` is false: nothing is to be written, and a later request continues this one. */
  prepares: boolean;
  /** The body of `POST /v1/responses`. */
  body: Buffer;
}

export interface SteerEvent {
  type: 'response.steer';
  previousResponse: string;
  input: unknown;
  /** The same as the client wrote it. */
  inputText: string;
}

/** The lane of a message that cannot be served, and what is wrong with it. */
interface WrongEvent {
  lane: string | undefined;
  error: GatewayError;
}

const envelope = ['type', 'stream_id', 'stream', 'background', 'generate'] as const;
const read = new Set<string>([...envelope, 'previous_response_id', 'input']);
const removed = new Set<string>(envelope);

/** Longer values of the envelope are wrong in any case. */
const longestValue = 1_024;
const longestLane = 256;
/** Of the input of a steer, in bytes. */
const longestSteer = 256 * 1024;

/** Reads a message without parsing what the request is made of. `type` is `wrong` if it cannot be served. */
export function readClientEvent(message: Buffer): ClientEvent | ({ type: 'wrong' } & WrongEvent) {
  let lane: string | undefined;
  try {
    const members = membersOf(message);
    lane = laneIn(members);
    const type = textIn(members, 'type');
    if (type === 'response.steer') return steerIn(members);
    if (type !== 'response.create') throw unknownType(type);
    checkModes(members);
    const prepares = valueIn(members, 'generate') === false;
    return { type, lane, prepares, body: editMembers(message, { removed, added: { stream: 'true' } }) };
  } catch (thrown) {
    return { type: 'wrong', lane, error: thrown instanceof GatewayError ? thrown : notJson(thrown) };
  }
}

type Members = ReadonlyMap<string, Buffer>;

/** Requests have about forty. */
const mostMembers = 1_000;
/** No client begins a message with more space. */
const longestSpace = 64;

function membersOf(message: Buffer): Members {
  if (!message.toString('latin1', 0, longestSpace).trimStart().startsWith('{')) throw notJson();
  const members = memberValues(message, { names: read, mostMembers });
  if (members === undefined) throw tooManyMembers();
  return members;
}

function valueIn(members: Members, name: string, longest = longestValue): unknown {
  const value = members.get(name);
  if (value === undefined) return undefined;
  if (value.length > longest) throw wrongMember(name, 'is too long');
  return JSON.parse(value.toString());
}

function textIn(members: Members, name: string): string | undefined {
  const value = valueIn(members, name);
  if (value === undefined || typeof value === 'string') return value;
  throw wrongMember(name, 'must be a text');
}

function laneIn(members: Members): string | undefined {
  const lane = textIn(members, 'stream_id');
  if (lane !== undefined && (lane === '' || lane.length > longestLane)) {
    throw wrongMember('stream_id', `must have 1 to ${longestLane} characters`);
  }
  return lane;
}

/** A socket streams every response while its client listens. */
function checkModes(members: Members): void {
  if (valueIn(members, 'stream') === false)
    throw unsupported('stream', 'responses on a socket are always streamed. Leave it out.');
  if (valueIn(members, 'background') === true) {
    throw unsupported('background', 'send background responses with POST /v1/responses.');
  }
}

function steerIn(members: Members): SteerEvent {
  const previousResponse = textIn(members, 'previous_response_id');
  if (previousResponse === undefined) throw wrongMember('previous_response_id', 'is required');
  const input = valueIn(members, 'input', longestSteer);
  return { type: 'response.steer', previousResponse, input, inputText: members.get('input')?.toString() ?? 'null' };
}

const notJson = (cause?: unknown): GatewayError =>
  new GatewayError('invalid_json', 'A message is one JSON object with a "type", such as "response.create".', { cause });

const tooManyMembers = (): GatewayError =>
  new GatewayError('invalid_parameters', `A message has at most ${mostMembers} members.`);

const unknownType = (type = ''): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    `type: "${type.slice(0, 64)}" is not known. Send "response.create" or "response.steer".`,
    { param: 'type' },
  );

const wrongMember = (param: string, problem: string): GatewayError =>
  new GatewayError('invalid_parameters', `${param}: it ${problem}.`, { param });

const unsupported = (param: string, remedy: string): GatewayError =>
  new GatewayError('unsupported_parameter', `${param}: ${remedy}`, { param });
