/** Bytes in JSON may be in either alphabet of base64; other vendors read only the standard one. */
export const standardBase64 = (text: string): string =>
  /[-_]/.test(text) ? text.replaceAll('-', '+').replaceAll('_', '/') : text;
