import type { Image } from './download.ts';
import { imageTypeOfBase64 } from '@tallyport/wire';

/** An image in a data URL. */
export interface DataUrl {
  /** Detected from its bytes, or else its label. */
  type: string;
  /** The decoded length. */
  bytes: number;
  /** The same URL, labelled with the detected type. */
  url: string;
}

/** `undefined` if it is not a base64 data URL. Reads only the beginning, because the image may be megabytes long. */
export function readDataUrl(url: string): DataUrl | undefined {
  const head = /^data:([^;,]*)(;[^,]{0,100})?,/i.exec(url.slice(0, 256));
  const [start, label = '', parameters = ''] = head ?? [];
  if (start === undefined || !/;base64$/i.test(parameters)) return undefined;
  const type = imageTypeOfBase64(url.slice(start.length)) ?? label.toLowerCase();
  const labelled = type === label ? url : `data:${type};base64,${url.slice(start.length)}`;
  return { type, bytes: decodedLength(url, start.length), url: labelled };
}

export const toDataUrl = ({ type, parts, bytes }: Image): DataUrl => ({
  type,
  bytes,
  url: `data:${type};base64,${Buffer.concat(parts, bytes).toString('base64')}`,
});

function decodedLength(url: string, start: number): number {
  const padding = url.endsWith('==') ? 2 : Number(url.endsWith('='));
  return Math.floor(((url.length - start - padding) * 3) / 4);
}
