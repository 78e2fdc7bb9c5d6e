import { imageTypeOfBase64 } from '@tallyport/wire';

/** Data embedded in a URL, still in base64. */
export interface InlineData {
  mediaType: string;
  data: string;
}

/** The contents of `data:image/png;base64,…`; `undefined` for any other URL. */
export function inlineDataIn(url: string): InlineData | undefined {
  if (!url.startsWith('data:')) return undefined;
  const comma = url.indexOf(',');
  const head = url.slice('data:'.length, comma);
  if (comma === -1 || !head.endsWith(';base64')) return undefined;
  const data = url.slice(comma + 1);
  const declared = head.slice(0, -';base64'.length).split(';', 1)[0]?.toLowerCase();
  // Declared types are often wrong, and vendors check the bytes.
  return { mediaType: imageTypeOfBase64(data) ?? canonicalType(declared), data };
}

export const dataUrl = ({ mediaType, data }: InlineData): string => `data:${mediaType};base64,${data}`;

const canonicalType = (declared: string | undefined): string => {
  if (declared === undefined || declared === '') return 'text/plain';
  return declared === 'image/jpg' ? 'image/jpeg' : declared;
};
