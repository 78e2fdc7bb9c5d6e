import { type FaultDialect } from '@switchyard/sandbox';
import { bedrockErrorReply } from './errors.ts';
import { bedrockFailure } from './failures.ts';
import { eventFrame, exceptionFrame } from './frame.ts';

const textDelta = (text: string) => eventFrame('delta', 'contentBlockDelta', { contentBlockIndex: 0, delta: { text } });

export const bedrockDialect: FaultDialect = {
  failure: (status, options = {}) => bedrockErrorReply(bedrockFailure(status, options)),
  midStream: [
    exceptionFrame('modelStreamErrorException', {
      message: 'The model returned an error while streaming.',
      originalStatusCode: 500,
      originalMessage: 'simulated',
    }),
  ],
  malformed: damaged(textDelta('damaged').bytes),
  delta: textDelta,
};

/** Flips one bit of the payload, so that the checksum is wrong. */
function damaged(bytes: Buffer) {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(copy.length - 5) ^ 1, copy.length - 5);
  return { part: 'delta' as const, bytes: copy };
}
