/** The types of images that are recognised, which are those that models take. */
export const recognisedImages = ['image/gif', 'image/jpeg', 'image/png', 'image/webp'] as const;
export type ImageType = (typeof recognisedImages)[number];

/** The number of bytes needed to recognise any of the types. */
export const markBytes = 12;

const marks: readonly { type: ImageType; fits(bytes: Buffer): boolean }[] = [
  { type: 'image/png', fits: (bytes) => starts(bytes, '\x89PNG\r\n\x1a\n') },
  { type: 'image/jpeg', fits: (bytes) => starts(bytes, '\xff\xd8\xff') },
  { type: 'image/gif', fits: (bytes) => starts(bytes, 'GIF87a') || starts(bytes, 'GIF89a') },
  { type: 'image/webp', fits: (bytes) => starts(bytes, 'RIFF') && bytes.toString('latin1', 8, 12) === 'WEBP' },
];

/** The type of an image by its first bytes, regardless of its label; `undefined` if it is not a supported image. */
export const imageTypeOf = (bytes: Buffer): ImageType | undefined => marks.find(({ fits }) => fits(bytes))?.type;

/** Enough base64 to recognise any of the types. */
export const markCharacters = Math.ceil(markBytes / 3) * 4;

export const imageTypeOfBase64 = (base64: string): ImageType | undefined =>
  imageTypeOf(Buffer.from(base64.slice(0, markCharacters), 'base64'));

const starts = (bytes: Buffer, mark: string): boolean => bytes.toString('latin1', 0, mark.length) === mark;
