import { items, type Members, members, text } from '../read.ts';
import { thinkingDetails } from '../thinking-details.ts';

/** Marks the details of this vendor's models among those of other vendors. */
const format = 'google-gemini-v1';
const details = thinkingDetails(format);

/** The vendor's placeholder for a lost signature. The request is accepted, with some loss of quality. */
export const placeholderSignature = 'skip_thought_signature_validator';

/** The signature of a call or an image, in the member that Google's own OpenAI-format endpoint uses. */
export const signatureExtra = (signature: string | undefined): { extra_content?: Record<string, unknown> } =>
  signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };

export const signatureInExtra = (sent: Members): string | undefined =>
  text(members(members(sent.extra_content).google).thought_signature);

/** The signature of a text. Clients keep it in `reasoning_details`. */
export const signatureDetail = (signature: string, index: number) => details.encrypted(index, signature);

/** The signature of the text in an earlier answer. OpenRouter's details have an id, and their signatures are its own. */
export const textSignatureOf = (message: Members): string | undefined =>
  text(
    items(message.reasoning_details)
      .map(members)
      .findLast((detail) => detail.format === format && detail.id === undefined)?.data,
  );
