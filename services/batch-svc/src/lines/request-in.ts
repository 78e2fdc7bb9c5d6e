import { memberValue } from '@tallyport/wire';

/** The request in a line that was checked: it has one. */
export const requestIn = (line: Buffer): Buffer =>
  memberValue(line, 'body') ?? memberValue(line, 'params') ?? Buffer.alloc(0);
