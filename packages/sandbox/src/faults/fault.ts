import type { ProviderAnswer, Piece, Reply } from '../answer.ts';
import type { FaultDialect } from '../dialect.ts';

/** A pure change of an answer: takes the good answer and returns the one that is sent, in its family's words. */
export type FaultEffect = (answer: ProviderAnswer, dialect: FaultDialect) => ProviderAnswer;

/** One fault as written: `name:value;option=value;…`. */
export interface FaultSpec {
  readonly name: string;
  readonly value: string | undefined;
  readonly options: Readonly<Record<string, string>>;
}

/** How one kind of fault is made from its words. Throws FaultSyntaxError when they make no sense. */
export interface FaultKind {
  readonly name: string;
  /** For people: how it is written. */
  readonly usage: string;
  /** Option names it understands. */
  readonly options?: readonly string[];
  build(spec: FaultSpec): FaultEffect;
}

export class FaultSyntaxError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FaultSyntaxError';
  }
}

/** A fault of something that is being sent; an answer that already hangs or resets stays as it is. */
export const ofReply =
  (change: (reply: Reply, dialect: FaultDialect) => ProviderAnswer): FaultEffect =>
  (answer, dialect) =>
    answer.kind === 'reply' ? change(answer, dialect) : answer;

/** Lines of text, as opposed to binary frames or one long JSON array. */
export const isEventStream = (reply: Reply): boolean =>
  reply.stream && (reply.headers['content-type'] ?? '').startsWith('text/event-stream');

export const withPieces = (reply: Reply, pieces: readonly Piece[]): Reply => ({ ...reply, pieces });

/** Changes what is sent once and what is sent for ever alike. */
export function changePieces(reply: Reply, change: (pieces: readonly Piece[]) => readonly Piece[]): Reply {
  return { ...withPieces(reply, change(reply.pieces)), ...(reply.loop && { loop: change(reply.loop) }) };
}

/** One more event after so many; never behind the last, where clients have stopped reading. */
export const withEvent = (reply: Reply, after: number, event: Piece): Reply =>
  withPieces(reply, reply.pieces.toSpliced(Math.min(after, reply.pieces.length - 1), 0, event));

export const bodyOf = (reply: Reply): Buffer => Buffer.concat(reply.pieces.map(({ bytes }) => bytes));

interface Bounds {
  minimum: number;
  maximum: number;
  /** Taken when nothing is written; absent: something must be. */
  otherwise?: number;
}

/** The number behind the colon. */
export function faultNumber(spec: FaultSpec, { minimum, maximum, otherwise }: Bounds): number {
  if (spec.value === undefined && otherwise !== undefined) return otherwise;
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
