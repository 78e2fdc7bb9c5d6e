import { GatewayError } from '@tallyport/contracts';
import { type VendorMap, vendorMapSchema } from '@tallyport/management';

/** Reads the JSON of a map. Throws a GatewayError that names the invalid member. */
export function readMap(text: string): VendorMap {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new GatewayError('invalid_json', 'The map is not JSON.', { cause });
  }
  const map = vendorMapSchema.safeParse(parsed);
  if (map.success) return map.data;
  const [issue] = map.error.issues;
  throw new GatewayError('invalid_parameters', `The map: '${issue?.path.join('.') ?? ''}' ${issue?.message ?? ''}.`);
}
