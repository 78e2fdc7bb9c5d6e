import type { Link } from '@tallyport/bus';
import { createClient } from '@tallyport/bus';
import { cheapestModels, type CheckedProvider, describeKeys } from '@tallyport/chat-svc';
import { catalogService } from '@tallyport/contracts';

/** A cheap chat model of the first of these providers that has one; `undefined` if none has. */
export async function callableModel(link: Link, providers: readonly string[]): Promise<string | undefined> {
  if (providers.length === 0) return undefined;
  const { models } = await createClient(link, catalogService).snapshot({});
  const now = Date.now();
  return providers.flatMap((provider) => cheapestModels({ models, now }, provider).slice(0, 1))[0]?.id;
}

/** The text after the welcome text: what each provider says about its keys. Empty without keys. */
export const providerKeysText = (checked: readonly CheckedProvider[]): string =>
  checked.length === 0
    ? ''
    : ['  Provider keys', ...checked.map((each) => `    ${describeKeys(each)}`), '', ''].join('\n');
