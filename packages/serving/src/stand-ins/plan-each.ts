import { type GatewayError, toGatewayError } from '@tallyport/contracts';
import { bestFirst, type Plan } from '@tallyport/dispatch';
import type { ProviderPreferences } from '@tallyport/wire';

export interface NamedModels {
  /** The request's own model. */
  model: string;
  /** The models that stand in for it, in their order; absent if it names one model. */
  standIns?: readonly string[] | undefined;
  preferences?: ProviderPreferences | undefined;
}

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
 * Plans a request with each of the models that it names; the first one that can serve it is its own, or the
 * best one if the request prefers that. A model is passed
 * over if it lacks what the request needs, the caller may not use it, or the gateway cannot call it. Throws the first
 * reason if that is true of all.
 */
export async function planEach<Planned>(
  { model, standIns = [], preferences }: NamedModels,
  planWith: (name: string) => Promise<Planned>,
  planOf: (planned: Planned) => Plan,
): Promise<EachPlanned<Planned>> {
  const planned: Planned[] = [];
  const passedOver: PassedOver[] = [];
  for (const name of [model, ...standIns]) {
    try {
      planned.push(await planWith(name));
    } catch (thrown) {
      const error = toGatewayError(thrown);
      if (isForAll(error)) throw thrown;
      passedOver.push({ model: name, error });
    }
  }
  const [own, ...others] = bestFirst(planned, { preferences, planOf });
  if (own !== undefined) return { own, standIns: others, passedOver };
  throw passedOver[0]?.error ?? new TypeError('A request was planned without a model.');
}

/** A name that the gateway does not know is a mistake of the client, which the other models would hide. */
const isForAll = ({ domain, code }: GatewayError): boolean => domain === 'gateway' || code === 'model_not_found';
