import { namesOf, type Operation, type ProcessName, services, type Use, uses } from '@tallyport/contracts';

const contracts = new Map<string, (typeof services)[number]>(services.map((contract) => [contract.name, contract]));

/** `undefined` for an operation that no contract has. */
export function contractOperation(service: string, name: string): Operation | undefined {
  const operations: Readonly<Record<string, Operation>> = contracts.get(service)?.operations ?? {};
  return operations[name];
}

/** The kind of an operation; empty for one that no contract has. */
export const operationKind = (service: string, name: string): string => contractOperation(service, name)?.kind ?? '';

/** Whether operations of this kind are requests, which a process answers. */
export const isRequestKind = (kind: string): boolean => kind === 'call' || kind === 'exchange';

export const processServing = (service: string): ProcessName | undefined =>
  namesOf(uses).find((process) => (uses[process] as Use).serves === service);
