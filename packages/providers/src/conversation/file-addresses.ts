import type { ChatRequest } from '@tallyport/wire';

/** Whether a vendor fetches a file from this address. */
export type FetchesFile = (address: string) => boolean;

/** A data URL has no slashes after its scheme. */
const address = /^[a-z][a-z\d+.-]*:\/\//i;

/** The first file of a user message that is an address from which the vendor does not fetch it. */
export function unfetchedFile(
  { messages }: ChatRequest,
  fetches: FetchesFile = () => false,
): `messages[${number}].content[${number}].file` | undefined {
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== 'user' || !Array.isArray(content)) continue;
    const place = content.findIndex((part) => {
      const data = part.type === 'file' ? (part.file.file_data ?? '') : '';
      return address.test(data) && !fetches(data);
    });
    if (place >= 0) return `messages[${index}].content[${place}].file`;
  }
  return undefined;
}
