/** The name of something that belongs to the message at a place of the conversation, given by the vendor's adapter. */
export interface PlacedName {
  place: number;
  name: string;
}

/** Data the vendor sent with calls or texts of earlier answers and wants back unchanged. */
export interface CallSignatures {
  readonly size: number;
  get(place: number, name: string): string | undefined;
}

/** The name of the `reasoning_details` before a call, of any vendor. */
export const detailsName = (firstCall: string): string => `details ${firstCall}`;

export interface PlacedSignature extends PlacedName {
  signature: string;
}

export function placedSignatures(found: readonly PlacedSignature[]): CallSignatures {
  const known = new Map(found.map(({ place, name, signature }) => [keyOf(place, name), signature]));
  return { size: known.size, get: (place, name) => known.get(keyOf(place, name)) };
}

export const noSignatures: CallSignatures = placedSignatures([]);

const keyOf = (place: number, name: string): string => `${place} ${name}`;
