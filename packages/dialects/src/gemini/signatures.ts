import { createDetailFold, isSealedSignature } from '@tallyport/wire';
import { isPlainObject } from '../plain-object.ts';
import { sealState, unsealState } from '../sealed-state.ts';

/** Marks the details of this vendor's models among those of other vendors, in `reasoning_details`. */
const format = 'google-gemini-v1';

/** Clients send it for calls of other models. The gateway adds it itself where it knows no signature. */
const placeholder = 'skip_thought_signature_validator';

interface SignedExtra {
  extra_content?: Record<string, unknown>;
}

/** The signature of a call or an image, as a chat carries it: in the member of Google's own endpoint in OpenAI's format. */
export function toSignedExtra(signature: string | null | undefined): SignedExtra {
  if (!isSignature(signature)) return {};
  const google = { thought_signature: signature };
  return { extra_content: { google } };
}

export function signatureOfExtra({ extra_content: extra = {} }: SignedExtra): { thoughtSignature?: string } {
  const { google } = extra;
  const signature = isPlainObject(google) ? google.thought_signature : undefined;
  return typeof signature === 'string' ? { thoughtSignature: signature } : {};
}

/** The signatures of texts, as a chat carries them. */
export function toSignatureDetails(signatures: readonly (string | null | undefined)[]): object[] {
  return signatures.filter(isSignature).map((data, index) => ({ type: 'reasoning.encrypted', data, format, index }));
}

export const signaturesOfDetails = (details: unknown): string[] =>
  Array.isArray(details) ? details.flatMap(signatureOfDetail) : [];

const signatureOfDetail = (detail: unknown): string[] =>
  isPlainObject(detail) && detail.format === format && typeof detail.data === 'string' ? [detail.data] : [];

const isSignature = (signature: string | null | undefined): signature is string =>
  signature != null && signature !== '' && signature !== placeholder && !isSealedSignature(signature);

/**
 * Other vendors' signed thinking, as the signature of the call that it led to: clients of this API keep it there.
 * `undefined` if there is none.
 */
export function toSealedSignature(pieces: unknown): string | undefined {
  const folded = createDetailFold();
  for (const piece of Array.isArray(pieces) ? pieces : []) if (isForeignDetail(piece)) folded.add(piece);
  const details = folded.whole();
  if (!details.some(isProof)) return undefined;
  return Buffer.from(sealState({ details, extras: {} })).toString('base64');
}

/** Throws `invalid_parameters` for one that was changed. */
export function sealedDetailsOf(signature: string | null | undefined, path: string): readonly unknown[] {
  if (signature == null || !isSealedSignature(signature)) return [];
  return unsealState(Buffer.from(signature, 'base64').toString(), path)?.details ?? [];
}

const isForeignDetail = (detail: unknown): boolean => isPlainObject(detail) && detail.format !== format;

/** Plain thinking is in parts of its own. */
const isProof = (detail: unknown): boolean =>
  isPlainObject(detail) && (typeof detail.signature === 'string' || typeof detail.data === 'string');
