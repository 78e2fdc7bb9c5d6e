import { GatewayError } from '@tallyport/contracts';
import { camelNamed, namesStoredFile } from '@tallyport/dialects';
import { repeatsMemberWithin, structureProblem } from '@tallyport/wire';
import { parsedJson } from '../../parsed-json.ts';
import { binaryMessage } from '../binary-message.ts';
import type { ClientEvent } from '../client-event.ts';
import type { DataMessage } from '../dialect.ts';
import { textTokens, tokensOfMedia } from './media-tokens.ts';
import { refuseCostlyTools } from './tools.ts';

/** Others could cost what is not known here. */
const kinds = ['setup', 'clientContent', 'realtimeInput', 'toolResponse', 'contextUpdate'] as const;

/** A message of a client, with its one member. */
export interface LiveMessage {
  kind: (typeof kinds)[number];
  /** The names of its members in camelCase; those within are as the client wrote them. */
  members: Readonly<Record<string, unknown>>;
  /** Of the whole message. */
  length: number;
}

/** Throws a GatewayError for a message that is not passed on. */
export function readLiveMessage({ kind: frame, bytes }: DataMessage): LiveMessage {
  if (frame === 'binary') throw binaryMessage();
  const document = parsedJson(bytes);
  if (typeof document !== 'object' || document === null) throw invalid('Send JSON objects.');
  const problem = structureProblem(document);
  if (problem !== undefined) throw invalid(`The message is ${problem}.`);
  if (repeatsMemberWithin(bytes)) throw invalid('A member is there twice. Name each once.');
  const names = Object.keys(document);
  const members = camelNamed(document);
  const kind = kinds.find((each) => members[each] !== undefined);
  if (kind === undefined || names.length > 1) throw unknownMessage(names);
  return { kind, members: camelNamed(members[kind]), length: bytes.length };
}

/** What a message behind the setup may cost. */
export function liveEvent({ kind, members, length }: Exclude<LiveMessage, { kind: 'setup' }>): ClientEvent {
  const { tokens: adds, characters } = tokensOfMedia(members);
  adds.text += textTokens(Math.max(0, length - characters));
  if (namesStoredFile(members.turns) || namesStoredFile(members.functionResponses)) throw storedFile();
  refuseCostlyTools(members.tools);
  return { effect: effectOf(kind, members), adds };
}

function effectOf(kind: LiveMessage['kind'], { turnComplete, text }: LiveMessage['members']): ClientEvent['effect'] {
  if (kind === 'realtimeInput') return text === undefined ? 'speaks' : 'asks';
  // Google may read other values than `true` as it.
  const waits = turnComplete === undefined || turnComplete === false;
  return kind !== 'toolResponse' && waits ? 'none' : 'asks';
}

const invalid = (message: string): GatewayError => new GatewayError('invalid_parameters', message);

const unknownMessage = (names: readonly string[]): GatewayError =>
  invalid(`Send one of ${kinds.join(', ')} in a message, not '${names.slice(0, 5).join(', ').slice(0, 60)}'.`);

const storedFile = (): GatewayError =>
  invalid('fileData: files that are stored at Google cannot be used here. Send them inline.');
