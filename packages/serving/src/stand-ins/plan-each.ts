import { type GatewayError, toGatewayError } from '@tallyport/contracts';

export interface PassedOver {
  model: string;
  error: GatewayError;
}

interface EachPlanned<Planned> {
  own: Planned;
  standIns: readonly Planned[];
  /** Models that cannot serve the request, and why. */
  passedOver: readonly PassedOver[];
}

/**
 * Plans a request with each of the models that it names; the first one that can serve it is its own. A model is passed
 * over if it lacks what the request needs, the caller may not use it, or the gateway cannot call it. Throws the first
 * reason if that is true of all.
 */
export async function planEach<Planned>(
  names: readonly string[],
  planWith: (name: string) => Promise<Planned>,
): Promise<EachPlanned<Planned>> {
  const planned: Planned[] = [];
  const passedOver: PassedOver[] = [];
  for (const model of names) {
    try {
      planned.push(await planWith(model));
    } catch (thrown) {
      const error = toGatewayError(thrown);
      if (isForAll(error)) throw thrown;
      passedOver.push({ model, error });
    }
  }
  const [own, ...standIns] = planned;
  if (own !== undefined) return { own, standIns, passedOver };
  throw passedOver[0]?.error ?? new TypeError('A request was planned without a model.');
}

/** A name that the gateway does not know is a mistake of the client, which the other models would hide. */
const isForAll = ({ domain, code }: GatewayError): boolean => domain === 'gateway' || code === 'model_not_found';
