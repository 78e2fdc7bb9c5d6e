import type { PartBody } from './content-schema.ts';

/** A part with its path in the request. */
export interface PlacedPart {
  part: PartBody;
  path: string;
}
