import { addProviderKey, type Draft, setVariable } from '../draft.ts';
import type { Members } from '../members.ts';
import { copyAddress, noAddress, ownProvider } from '../own-provider.ts';
import { variableFor } from '../secret-names.ts';
import type { DeploymentContext } from './context.ts';
import { variableIn } from './reference.ts';
import type { Vendor } from './vendors.ts';

interface Source {
  params: Members;
  context: DeploymentContext;
}

type BuiltIn = Extract<Vendor, { kind: 'built-in' }>;

/** The provider of this gateway that a deployment calls, with its key and address; `undefined` if it has no address. */
export function providerOf(vendor: Vendor, source: Source): string | undefined {
  const key = source.params.text('api_key');
  const base = addressOf(source);
  if (base === null) return undefined;
  const isBuiltIn = vendor.kind === 'built-in' && !isElsewhere(vendor, base, source.context.draft);
  if (isBuiltIn) return builtInProvider(vendor, key, { ...source, base });
  const given = base ?? (vendor.kind === 'compatible' ? vendor.baseUrl : undefined);
  if (given === undefined) {
    source.context.draft.left.add([...source.params.path, 'api_base'], noAddress, setAddress);
    return undefined;
  }
  const address = withPath(given, vendor.kind === 'compatible' ? vendor.path : azurePath(given));
  const usual = vendor.keyVariable === undefined ? undefined : `os.environ/${vendor.keyVariable}`;
  const secret = key === undefined || placeholders.has(key.trim().toLowerCase()) ? usual : key;
  const provider = ownProvider(source.context.draft, address, secret !== undefined);
  if (secret !== undefined) addKey(secret, provider, source);
  return provider;
}

const setAddress = 'Set it, and the variable if it names one, and import again.';

const withPath = (address: string, path = ''): string => (address.endsWith(path) ? address : address + path);

/** What people write where a server needs no key. */
const placeholders = new Set(['', 'none', 'null', 'empty', 'dummy', 'fake', 'fake-key', 'no-key', 'not-needed']);

/** The address in `api_base`, which may name a variable of this process. */
function addressOf({ params, context: { draft, environment } }: Source): string | null | undefined {
  const base = params.text('api_base') ?? params.text('base_url');
  if (base === undefined) return undefined;
  const path = [...params.path, 'api_base'];
  const variable = variableIn(base);
  const address = (variable === undefined ? base : environment[variable]) ?? '';
  return copyAddress(address, { path, left: draft.left, instead: setAddress });
}

const azureHost = /\.(?:openai|services\.ai|cognitiveservices)\.azure\.com$/;

const originOf = (address: string): string => new URL(address).origin;

const azurePath = (address: string): string => (azureHost.test(new URL(address).hostname) ? '/openai/v1' : '');

/**
 * OpenAI's format is served at many addresses, each of which is a provider of its own. The first resource of Azure is
 * the built-in provider.
 */
function isElsewhere({ provider }: BuiltIn, base: string | undefined, { variables }: Draft): boolean {
  if (base === undefined) return false;
  if (provider === 'openai') return originOf(base) !== 'https://api.openai.com';
  const before = variables.get('AZURE_BASE_URL');
  return provider === 'azure' && before !== undefined && 'value' in before && before.value !== originOf(base);
}

function builtInProvider(
  vendor: BuiltIn,
  key: string | undefined,
  source: Source & { base: string | undefined },
): string {
  const { params, context, base } = source;
  const { provider, baseVariable, keyVariable, variables } = vendor;
  if (base !== undefined && baseVariable !== undefined && provider !== 'openai') {
    const value = provider === 'azure' ? originOf(base) : base;
    setVariable(context.draft, baseVariable, { from: { value }, path: [...params.path, 'api_base'] });
  }
  const isSet = setVariables(variables ?? {}, source);
  if (key !== undefined || variables === undefined) addKey(key ?? `os.environ/${keyVariable}`, provider, source);
  else if (!isSet) context.draft.left.add(params.path, 'The file has no credentials of the cloud.', cloudCredentials);
  return provider;
}

const cloudCredentials = 'Set them for the gateway (docs/providers.md).';

/** Returns whether there are credentials among them. */
function setVariables(variables: Readonly<Record<string, string>>, { params, context }: Source): boolean {
  let hasCredentials = false;
  for (const [member, name] of Object.entries(variables)) {
    const text = params.text(member);
    if (text === undefined) continue;
    const path = [...params.path, member];
    const isSecret = secretMembers.has(member);
    hasCredentials ||= isSecret;
    const variable = isSecret ? context.secrets.nameOf(text, name, path) : variableIn(text);
    setVariable(context.draft, name, { from: variable === undefined ? { value: text } : { variable }, path });
  }
  return hasCredentials;
}

const secretMembers = new Set([
  'aws_access_key_id',
  'aws_secret_access_key',
  'aws_session_token',
  'vertex_credentials',
]);

function addKey(secret: string, provider: string, { params, context: { draft, secrets } }: Source): void {
  const name = secrets.nameOf(secret, variableFor(provider, 'API_KEY'), [...params.path, 'api_key']);
  addProviderKey(draft, provider, name);
}
