import { chatProviders } from '@tallyport/providers';
import { defaults } from '../common-reasons.ts';
import { addProviderKey, type Draft, setVariable } from '../draft.ts';
import type { Members } from '../members.ts';
import { copyAddress, ownProvider } from '../own-provider.ts';
import { placeModel } from '../place-model.ts';
import { type SecretNames, variableFor } from '../secret-names.ts';
import { targetReasons } from './reasons.ts';
import { isSecret, providerNames, variableNames } from './vendors.ts';

export interface TargetContext {
  draft: Draft;
  secrets: SecretNames;
  /** The name of the route. */
  name: string;
}

/** The model of a target without targets of its own, as `provider/model`; `undefined` if it has none. */
export function readTarget(target: Members, context: TargetContext): string | undefined {
  const { draft, name: wanted } = context;
  const override = target.object('override_params');
  const named = override?.text('model');
  override?.leaveRest(Object.fromEntries(override.names().map((name) => [name, defaults])));
  const [slug, model] = splitModel(named === '' ? undefined : named);
  const place = placeOf(target, slug, model);
  const provider = place && providerOf(target, place, context);
  target.leaveRest(targetReasons);
  if (provider === undefined) {
    draft.left.add(target.path, 'The vendor of this target is not known.', 'Add it to the route by hand.');
    return undefined;
  }
  if (model === undefined) {
    draft.left.add(
      target.path,
      noModel,
      'Name its model in override_params and import again, or ask for the model itself.',
    );
    return undefined;
  }
  const id = placeModel(draft, { path: target.path, provider, name: model, wanted, base: azureModel(provider, model) });
  return `${provider}/${id}`;
}

const noModel =
  'A route names its models, and this target answers for any: without a route, routing chooses a provider of any model.';

const azureModel = (provider: string, model: string): string | undefined => (provider === 'azure' ? model : undefined);

/** `@slug/model` names a provider of Portkey. */
function splitModel(named: string | undefined): [slug: string | undefined, model: string | undefined] {
  const [, slug, model] = /^@([^/]+)\/(.+)$/.exec(named ?? '') ?? [];
  return model === undefined ? [undefined, named] : [slug, model];
}

interface Place {
  /** Its id in this gateway, if it is built in. */
  id: string | undefined;
  /** What Portkey calls the stored key. */
  virtualKey: string | undefined;
}

const builtIn = new Set(chatProviders.map(({ id }) => id));

/** The vendor is named, or the name of the stored key begins with it. */
function placeOf(target: Members, slug: string | undefined, model: string | undefined): Place | undefined {
  const provider = target.text('provider');
  const named = provider?.startsWith('@') ? provider.slice(1) : undefined;
  const virtualKey = target.text('virtual_key') ?? slug ?? named;
  const id = providerIn(named === undefined && provider !== undefined ? provider : vendorIn(virtualKey));
  const isOwn = target.names().includes('custom_host') && model !== undefined;
  return id !== undefined || isOwn ? { id, virtualKey } : undefined;
}

function providerIn(vendor: string | undefined): string | undefined {
  if (vendor === undefined) return undefined;
  const id = Object.hasOwn(providerNames, vendor) ? providerNames[vendor] : vendor;
  return id !== undefined && builtIn.has(id) ? id : undefined;
}

function vendorIn(virtualKey: string | undefined): string | undefined {
  const names = [...Object.keys(providerNames), ...builtIn].toSorted((one, other) => other.length - one.length);
  return names.find((name) => virtualKey === name || virtualKey?.startsWith(`${name}-`));
}

function providerOf(target: Members, { id, virtualKey }: Place, { draft, secrets }: TargetContext): string | undefined {
  const key = target.text('api_key');
  const address = addressOf(target, draft);
  if (address === null) return undefined;
  const provider =
    address === undefined ? id : ownProvider(draft, address, key !== undefined || virtualKey !== undefined);
  if (provider === undefined) return undefined;
  readVariables(target, { draft, secrets });
  const resource = target.text('resource_name');
  if (resource !== undefined && /^[\w-]{1,64}$/.test(resource)) {
    const from = { value: `https://${resource}.openai.azure.com` };
    setVariable(draft, 'AZURE_BASE_URL', { from, path: [...target.path, 'resource_name'] });
  }
  if (key !== undefined) {
    const variable = secrets.nameOf(key, variableFor(provider, 'API_KEY'), [...target.path, 'api_key']);
    addProviderKey(draft, provider, variable);
  } else if (virtualKey !== undefined) {
    const variable = variableFor(virtualKey, 'KEY');
    addProviderKey(draft, provider, variable);
    draft.left.add(target.path, 'Its key is stored by Portkey, which does not export it.', `Put it into ${variable}.`);
  }
  return provider;
}

function addressOf(target: Members, draft: Draft): string | null | undefined {
  const host = target.text('custom_host');
  if (host === undefined) return undefined;
  const path = [...target.path, 'custom_host'];
  return copyAddress(host, { path, left: draft.left, instead: 'Correct it and import again.' });
}

function readVariables(target: Members, { draft, secrets }: Pick<TargetContext, 'draft' | 'secrets'>): void {
  for (const [member, name] of Object.entries(variableNames)) {
    const text = target.text(member);
    if (text === undefined) continue;
    const path = [...target.path, member];
    const from = isSecret(member) ? { variable: secrets.nameOf(text, name, path) } : { value: text };
    setVariable(draft, name, { from, path });
  }
}
