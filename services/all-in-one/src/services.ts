import { namesOf } from '@tallyport/contracts';
import { chosenOf } from '@tallyport/service-kit';

const state = ['NATS_URL', 'REDIS_URL', 'DATABASE_URL', 'INTERNAL_SECRET'] as const;

type StateSetting = (typeof state)[number];

/** The services that a process can compose, with the settings of what each shares with other processes. */
const shared = {
  'auth-svc': ['NATS_URL', 'REDIS_URL', 'DATABASE_URL'],
  'ledger-svc': ['NATS_URL', 'REDIS_URL', 'DATABASE_URL'],
  'catalog-svc': ['NATS_URL', 'DATABASE_URL'],
  'chat-svc': ['NATS_URL', 'REDIS_URL'],
  'image-svc': ['NATS_URL', 'REDIS_URL'],
  'batch-svc': ['NATS_URL', 'DATABASE_URL'],
  'mcp-svc': ['NATS_URL', 'REDIS_URL'],
  'console-svc': ['NATS_URL', 'INTERNAL_SECRET'],
  edge: ['NATS_URL', 'REDIS_URL', 'INTERNAL_SECRET'],
} as const satisfies Record<string, readonly StateSetting[]>;

export type ServiceName = keyof typeof shared;

const allServices = namesOf(shared);

/** Of the setting `SERVICES`. */
export const servicesSchema = chosenOf(allServices);

interface NamedServices {
  /** Empty for all. */
  readonly SERVICES: readonly ServiceName[];
}

export const runsAll = ({ SERVICES }: NamedServices): boolean => SERVICES.length === 0;

/** The services that the process runs. */
export const composedServices = ({ SERVICES }: NamedServices): readonly ServiceName[] =>
  SERVICES.length === 0 ? allServices : SERVICES;

/** Whether the services share something that this setting names with other processes. */
export const needs = (services: readonly ServiceName[], setting: StateSetting): boolean =>
  services.some((service) => shared[service].some((needed) => needed === setting));

/** What is wrong when a process with some of the services does not name the state that it shares with the others. */
export function withoutState(values: Readonly<Record<string, unknown>>): string | undefined {
  const services = servicesSchema.parse(String(values['SERVICES']));
  const missing = state.filter((setting) => needs(services, setting) && values[setting] === undefined);
  if (missing.length === 0) return undefined;
  const them = missing.length === 1 ? 'it' : 'them';
  return `${services.join(', ')} without the other services requires ${missing.join(', ')}; set ${them}, or leave SERVICES empty to run all services in one process`;
}
