import { namesOf, type ProcessName, services, type Use, uses } from '@tallyport/contracts';

const contracts = new Map<string, (typeof services)[number]>(services.map((contract) => [contract.name, contract]));

/** The kind of an operation; empty for one that no contract has. */
export function operationKind(service: string, name: string): string {
  const operations: Readonly<Record<string, { kind: string }>> = contracts.get(service)?.operations ?? {};
  return operations[name]?.kind ?? '';
}

/** Whether operations of this kind are requests, which a process answers. */
export const isRequestKind = (kind: string): boolean => kind === 'call' || kind === 'exchange';

export const processServing = (service: string): ProcessName | undefined =>
  namesOf(uses).find((process) => (uses[process] as Use).serves === service);
