import { type FaultDialect } from '@tallyport/sandbox';
import { bedrockErrorReply } from './errors.ts';
import { bedrockFailure } from './failures.ts';
import { eventFrame, exceptionFrame } from './frame.ts';
import { chunkFrame } from './invoke-claude.ts';

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

/** Invoked models stream events of their own formats; here, Claude's. */
export const invokeDialect: FaultDialect = {
  ...bedrockDialect,
  delta: (text) =>
    chunkFrame({
      part: 'delta',
      data: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    }),
  usageMembers: ['usage'],
};

/** Flips one bit of the payload, so that the checksum is wrong. */
function damaged(bytes: Buffer) {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(copy.length - 5) ^ 1, copy.length - 5);
  return { part: 'delta' as const, bytes: copy };
}
