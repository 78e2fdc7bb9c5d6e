import { z } from 'zod';
import type { ConfigSources } from './config-sources.ts';
import { environmentSources } from './env-file.ts';
import { ConfigError, readConfig } from './read.ts';
import type { Setting } from './setting.ts';
import { fileText, httpAddress, list } from './shapes.ts';

type KeySetting = Setting<string[]>;
type AddressSetting = Setting<string | undefined>;

/** How to reach a vendor. Without keys and address it is not configured. */
interface VendorAccess {
  readonly keys: readonly string[];
  readonly baseUrl: string | undefined;
  /** The value of one of the vendor's additional variables. */
  setting(name: string): string | undefined;
}

/** A variable that a vendor has besides its key and address, under the name that other tools use. */
interface VendorSetting {
  readonly name: string;
  readonly description: string;
  readonly example?: string;
  readonly secret?: true;
  /** The variable is the path of a file; its value is the text of the file. */
  readonly file?: true;
}

/**
 * Declares `<STEM>_API_KEY` and `<STEM>_BASE_URL` for every stem, and the vendors' additional variables. The stems are
 * passed in from the providers' registry, because no other package names a provider.
 */
export function vendorConfig<const Stem extends string>(
  stems: readonly Stem[],
  further?: readonly VendorSetting[],
): Readonly<Record<`${Stem}_API_KEY`, KeySetting> & Record<`${Stem}_BASE_URL`, AddressSetting>>;
export function vendorConfig(
  stems: readonly string[],
  further: readonly VendorSetting[] = [],
): Readonly<Record<string, Setting>> {
  const usual = stems.flatMap((stem): [string, Setting][] => [
    [`${stem}_API_KEY`, keySetting],
    [`${stem}_BASE_URL`, addressSetting],
  ]);
  const own = further.map(({ name, file, ...shown }): [string, Setting] => [
    name,
    { ...shown, schema: file === true ? fileText.optional() : z.string().optional() },
  ]);
  return Object.fromEntries([...usual, ...own]);
}

/** Declares only `<STEM>_BASE_URL`, for a service that has no keys. */
export const vendorAddressConfig = (stems: readonly string[]): Readonly<Record<`${string}_BASE_URL`, AddressSetting>> =>
  Object.fromEntries(stems.map((stem) => [`${stem}_BASE_URL`, addressSetting]));

/** Returns the values that `vendorConfig` declared for a stem. */
export function vendorAccess(config: object, stem: string): VendorAccess {
  const valueOf = (name: string): unknown => Reflect.get(config, name);
  const keys = valueOf(`${stem}_API_KEY`);
  const baseUrl = valueOf(`${stem}_BASE_URL`);
  return {
    keys: Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [],
    baseUrl: typeof baseUrl === 'string' ? baseUrl : undefined,
    setting(name) {
      const value = valueOf(name);
      return typeof value === 'string' ? value : undefined;
    },
  };
}

/** The same for a provider that no configuration declares, because an operator added it while this process runs. */
export function vendorAccessFromEnvironment(stem: string, sources: ConfigSources = environmentSources()): VendorAccess {
  const { environment, file = {} } = sources;
  const settings = vendorConfig([stem]);
  // Only the provider's own variables are read: other misspelt names are reported where they are declared.
  const names = Object.keys(settings).flatMap((name) => [name, `${name}_FILE`]);
  const own = Object.fromEntries(names.map((name) => [name, environment[name] ?? file[name]]));
  try {
    return vendorAccess(readConfig(settings, { environment: own }), stem);
  } catch (error) {
    // The process is already running, so an invalid value counts as not set.
    if (error instanceof ConfigError) return vendorAccess({}, stem);
    throw error;
  }
}

/** `SANDBOX=auto` is on when no provider key is set. */
export function sandboxIsOn(config: { readonly SANDBOX: 'auto' | 'on' | 'off' }, stems: readonly string[]): boolean {
  if (config.SANDBOX !== 'auto') return config.SANDBOX === 'on';
  return stems.every((stem) => vendorAccess(config, stem).keys.length === 0);
}

const keySetting: KeySetting = {
  schema: list.optional().transform((keys) => keys ?? []),
  secret: true,
  description: 'Key of this provider, or several separated by commas. Without a key the provider is not used.',
};

const addressSetting: AddressSetting = {
  schema: httpAddress.optional(),
  description: "Replaces this provider's own address, for example by that of a proxy.",
};
