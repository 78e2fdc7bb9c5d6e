import type { Path } from '../left-over.ts';
import { openMembers } from '../members.ts';
import { placeModel } from '../place-model.ts';
import type { DeploymentContext } from './context.ts';
import { readModelInfo } from './model-info.ts';
import { providerOf } from './provider-of.ts';
import { deploymentReasons } from './reasons.ts';
import { type Vendor, type VendorModel, vendorModelOf, vendors } from './vendors.ts';

/** One entry of `model_list`, as a model at a provider of this gateway. */
export interface Deployment {
  path: Path;
  group: string;
  provider: string;
  /** The id of its model; `undefined` for a wildcard, which stands for all models of the provider. */
  model: string | undefined;
  contextLength: number | undefined;
  /** Of several in one group: its share, or what LiteLLM takes for it. */
  shares: Readonly<Record<'weight' | 'rpm' | 'tpm', number | undefined>>;
  /** Those with the lowest number are called first. */
  order: number;
}

export function readDeployment(entry: unknown, path: Path, context: DeploymentContext): Deployment | undefined {
  const { draft } = context;
  const members = openMembers(entry, path, draft.left);
  const group = members.text('model_name');
  const place = [...path, 'litellm_params'];
  const params = openMembers(withCredential(members.value('litellm_params'), context), place, draft.left);
  const info = members.object('model_info');
  const named = params.text('model');
  members.leaveRest();
  if (!group || !named || named.endsWith('/')) {
    draft.left.add(path, 'It needs model_name and litellm_params.model.', 'Correct it and import again.');
    return undefined;
  }
  const vendorModel = vendorModelOf(named, params.text('custom_llm_provider'));
  const vendor = vendorOf(vendorModel);
  if (vendor === undefined) draft.left.add([...place, 'model'], noVendor, addCompatible);
  const provider = vendor && providerOf(vendor, { params, context });
  if (provider === undefined) return undefined;
  const { prefix, name } = vendorModel;
  const { base = baseOf(prefix, group), offer, facts } = readModelInfo(info, params);
  const shares = { weight: params.number('weight'), rpm: params.number('rpm'), tpm: params.number('tpm') };
  const order = params.number('order') ?? 1;
  params.leaveRest(deploymentReasons);
  const placed = { path, group, provider, shares, order };
  if (name.includes('*')) return { ...placed, model: undefined, contextLength: undefined };
  const model = placeModel(draft, { path, provider, name, wanted: group, base, offer, facts });
  return { ...placed, model, contextLength: offer.contextLength ?? draft.known.named(model)?.contextLength };
}

const vendorOf = ({ prefix }: VendorModel): Vendor | undefined =>
  Object.hasOwn(vendors, prefix) ? vendors[prefix] : undefined;

/** Deployments of Azure have any names, so the name of the group says what they are. */
const baseOf = (prefix: string, group: string): string | undefined => (prefix === 'azure' ? group : undefined);

const noVendor = 'The gateway has no adapter for this vendor.';
const addCompatible = 'If it has an OpenAI-compatible API, add it to providers of tallyport.yaml (docs/catalogue.md).';

/** The settings of a stored credential are defaults of those of the deployment. */
function withCredential(params: unknown, { credentials }: DeploymentContext): unknown {
  if (typeof params !== 'object' || params === null || !('litellm_credential_name' in params)) return params;
  const { litellm_credential_name: name, ...rest } = params;
  return { ...credentials.get(String(name)), ...rest };
}
