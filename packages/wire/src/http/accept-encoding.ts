/** In order of preference. */
export const contentEncodings = ['br', 'gzip'] as const;
export type ContentEncoding = (typeof contentEncodings)[number];

/** The best encoding that an `Accept-Encoding` header names; `undefined` to send the body uncompressed. */
export function acceptedEncoding(header: string | undefined): ContentEncoding | undefined {
  const accepted = (header ?? '').split(',').map((part) =>
    part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=/),
  );
  return contentEncodings.find((encoding) =>
    accepted.some(([name, weight = '1']) => name === encoding && Number(weight) > 0),
  );
}
