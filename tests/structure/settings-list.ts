import { chatProviders } from '@tallyport/providers';
import { commonConfig, type Setting } from '@tallyport/service-kit';
import { imageNames, serviceNames, settingsOf } from '../deploy/service-settings.ts';

/** A setting with the services that read it. */
export interface ListedSetting {
  readonly name: string;
  readonly setting: Setting;
  readonly services: readonly string[];
}

/** All settings of all services. A group is what the same services read; the first two are shared by most of them. */
export function settingGroups(): ReadonlyMap<string, readonly ListedSetting[]> {
  const all = listedSettings();
  const common = all.filter(({ name }) => name in commonConfig);
  const vendors = all.filter(({ name }) => isOfVendor(name) && !(name in commonConfig));
  const others = all.filter((listed) => !common.includes(listed) && !vendors.includes(listed));
  const owned = Map.groupBy(others, ({ services }) => services.join(', '));
  return new Map([
    ['Common', common],
    ['Providers', vendors],
    ...[...owned].toSorted(([one], [two]) => compare(one, two)),
  ]);
}

function listedSettings(): ListedSetting[] {
  // The common ones first, in the order in which they are defined.
  const definitions = { ...commonConfig, ...Object.assign({}, ...imageNames.map(settingsOf)) };
  return Object.entries<Setting>(definitions).map(([name, setting]) => {
    const services = serviceNames.filter((service) => name in settingsOf(service));
    return { name, setting, services: services.length > 0 ? services : ['all-in-one'] };
  });
}

/** Keys, addresses and further variables of providers. */
const isOfVendor = (name: string): boolean => /_(API_KEY|BASE_URL)$/.test(name) || ownNames.has(name);

const ownNames = new Set(chatProviders.flatMap(({ settings = [] }) => settings.map(({ name }) => name)));

const compare = (one: string, two: string): number => (one < two ? -1 : 1);
