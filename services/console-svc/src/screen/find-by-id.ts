import { GatewayError } from '@tallyport/contracts';

/** Finds what the address names. Throws `not_found` with the message if it is not in the list. */
export function findById<Item extends { id: string }>(
  items: readonly Item[],
  id: string | undefined,
  message: string,
): Item {
  const found = items.find((item) => item.id === id);
  if (found === undefined) throw new GatewayError('not_found', message);
  return found;
}
