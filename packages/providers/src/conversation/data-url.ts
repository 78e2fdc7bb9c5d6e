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
  return { mediaType: imageTypeOfBase64(data) ?? canonicalType(declared), data };
}

export const dataUrl = ({ mediaType, data }: InlineData): string => `data:${mediaType};base64,${data}`;

const canonicalType = (declared: string | undefined): string => {
  if (declared === undefined || declared === '') return 'text/plain';
  return declared === 'image/jpg' ? 'image/jpeg' : declared;
};

/** The first characters of each image format in base64. Declared types are often wrong, and vendors check the bytes. */
const beginnings = [
  [/^iVBORw0KGg/, 'image/png'],
  [/^\/9j\//, 'image/jpeg'],
  [/^R0lGOD/, 'image/gif'],
  // RIFF, four bytes of length, WEBP.
  [/^UklGR.{7}RUJQ/, 'image/webp'],
] as const;

/** The image type according to the first bytes; `undefined` if they are not of a known image format. */
export const imageTypeOfBase64 = (base64: string): string | undefined =>
  beginnings.find(([beginning]) => beginning.test(base64))?.[1];
