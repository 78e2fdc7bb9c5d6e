import { memberValue } from '@tallyport/wire';

/** Of a line that was checked. */
export const customIdIn = (line: Buffer): string =>
  String(JSON.parse((memberValue(line, 'custom_id') ?? Buffer.from('""')).toString()));
