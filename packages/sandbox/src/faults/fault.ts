import type { ProviderAnswer, Piece, Reply } from '../answer.ts';
import type { FaultDialect } from '../dialect.ts';

/** A pure function from the good answer to the one that is sent, in the family's format. */
export type FaultEffect = (answer: ProviderAnswer, dialect: FaultDialect) => ProviderAnswer;

/** A parsed fault: `name:value;option=value;…`. */
export interface FaultSpec {
  readonly name: string;
  readonly value: string | undefined;
  readonly options: Readonly<Record<string, string>>;
}

/** One kind of fault. `build` throws FaultSyntaxError if the value or an option is invalid. */
export interface FaultKind {
  readonly name: string;
  /** The syntax, for error messages. */
  readonly usage: string;
  /** Names of the supported options. */
  readonly options?: readonly string[];
  build(spec: FaultSpec): FaultEffect;
}

export class FaultSyntaxError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FaultSyntaxError';
  }
}

/** A fault that changes an ordinary answer; an answer that already hangs or resets is unchanged. */
export const ofReply =
  (change: (reply: Reply, dialect: FaultDialect) => ProviderAnswer): FaultEffect =>
  (answer, dialect) =>
    answer.kind === 'reply' ? change(answer, dialect) : answer;

/** Text events, as opposed to binary frames or one long JSON array. */
export const isEventStream = (reply: Reply): boolean =>
  reply.stream && (reply.headers['content-type'] ?? '').startsWith('text/event-stream');

export const withPieces = (reply: Reply, pieces: readonly Piece[]): Reply => ({ ...reply, pieces });

/** Changes both the pieces sent once and those that are repeated. */
export function changePieces(reply: Reply, change: (pieces: readonly Piece[]) => readonly Piece[]): Reply {
  return { ...withPieces(reply, change(reply.pieces)), ...(reply.loop && { loop: change(reply.loop) }) };
}

/** Inserts an event after this many pieces, but never after the last one, which clients do not read. */
export const withEvent = (reply: Reply, after: number, event: Piece): Reply =>
  withPieces(reply, reply.pieces.toSpliced(Math.min(after, reply.pieces.length - 1), 0, event));

export const bodyOf = (reply: Reply): Buffer => Buffer.concat(reply.pieces.map(({ bytes }) => bytes));

interface Bounds {
  minimum: number;
  maximum: number;
  /** The default value; absent: the number is required. */
  defaultValue?: number;
}

/** The number after the colon. */
export function faultNumber(spec: FaultSpec, { minimum, maximum, defaultValue }: Bounds): number {
  if (spec.value === undefined && defaultValue !== undefined) return defaultValue;
  const number = Number(spec.value);
  if (spec.value !== undefined && /^\d+$/.test(spec.value) && number >= minimum && number <= maximum) return number;
  throw new FaultSyntaxError(
    `Fault '${spec.name}' needs a whole number from ${minimum} to ${maximum}: ${spec.name}:<number>.`,
  );
}

/** A fault without a value. */
export function plain(name: string, fault: FaultEffect): FaultKind {
  return {
    name,
    usage: name,
    build: ({ value }) => {
      if (value !== undefined) throw new FaultSyntaxError(`Fault '${name}' takes no value.`);
      return fault;
    },
  };
}
