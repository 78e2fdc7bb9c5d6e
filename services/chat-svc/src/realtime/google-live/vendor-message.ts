import type { CountedTokens } from '@tallyport/pricing';
import { memberValues } from '@tallyport/wire';
import type { ServerEvent } from '../server-event.ts';
import { countedUsage } from './usage.ts';

interface VendorReader {
  read(bytes: Buffer): ServerEvent;
  /** The client has sent what begins another generation. */
  continues(): void;
}

const ofMessage = { names: new Set(['serverContent', 'toolCall', 'usageMetadata']), mostMembers: 16 };
const ofContent = {
  names: new Set(['modelTurn', 'outputTranscription', 'turnComplete', 'interrupted']),
  mostMembers: 32,
};

/**
 * The vendor names no responses: one begins with the first content, and each `usageMetadata` is the bill of one. Content behind
 * the bill still belongs to it, until the turn ends or the client goes on.
 */
export function createVendorReader(options: { speaks: boolean }): VendorReader {
  let count = 0;
  let isRunning = false;
  let isPaid = false;

  function done(counted: CountedTokens, isOver: boolean): ServerEvent {
    if (!isRunning) count += 1;
    isRunning = false;
    isPaid = !isOver;
    return { type: 'done', id: idOf(count), isFailed: false, counted };
  }

  function created(): ServerEvent {
    isRunning = true;
    count += 1;
    return { type: 'created', id: idOf(count) };
  }

  return {
    continues: () => (isPaid = false),
    read(bytes) {
      const { generates, isOver, usage } = outlineOf(bytes);
      const counted = countedUsage(usage, options);
      if (counted !== undefined) return done(counted, isOver);
      if (generates && !isRunning && !isPaid) return created();
      if (isOver) isPaid = false;
      return { type: 'other' };
    },
  };
}

interface Outline {
  /** It is, or has, what the model has generated. */
  generates: boolean;
  /** Nothing more of the generation follows. */
  isOver: boolean;
  usage: Buffer | undefined;
}

function outlineOf(bytes: Buffer): Outline {
  const found = memberValues(bytes, ofMessage) ?? none;
  const content = memberValues(found.get('serverContent') ?? nothing, ofContent) ?? none;
  const calls = found.has('toolCall');
  return {
    generates: calls || content.has('modelTurn') || content.has('outputTranscription'),
    isOver: calls || isTrue(content, 'turnComplete') || isTrue(content, 'interrupted'),
    usage: found.get('usageMetadata'),
  };
}

const none: ReadonlyMap<string, Buffer> = new Map();
const nothing = Buffer.from('{}');

const idOf = (count: number): string => `generation_${count}`;

const isTrue = (values: ReadonlyMap<string, Buffer>, name: string): boolean => values.get(name)?.toString() === 'true';
