import type { EmbeddingCall } from '@tallyport/providers';

/** The largest vectors of common models. */
const usualDimensions = 3_072;
/** A number of an answer, as text or in base64. */
const bytesPerNumber = { float: 13, base64: 5.4 } as const;
/** The lease counts each byte three times; an answer is held once as received and once as sent. */
const shareOfLease = 2 / 3;

/** About how much memory an answer needs, in bytes of a chat's lease. */
export const expectedBytes = ({ inputs, dimensions = usualDimensions, encoding }: EmbeddingCall): number =>
  Math.ceil(inputs.length * dimensions * bytesPerNumber[encoding] * shareOfLease);
