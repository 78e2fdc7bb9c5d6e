import { contentHash, type JsonObject } from '@tallyport/sandbox';

/** The signature of a thought: it proves by itself that the vendor wrote it. */
export const signStep = (salt: string): string =>
  Buffer.from(JSON.stringify({ salt, check: checkOf(salt) })).toString('base64');

const checkOf = (salt: string): string => contentHash(`interaction/${salt}`);

export function isSigned(signature: unknown): boolean {
  try {
    const { salt, check } = JSON.parse(Buffer.from(String(signature), 'base64').toString()) as JsonObject;
    return check === checkOf(String(salt));
  } catch {
    return false;
  }
}
