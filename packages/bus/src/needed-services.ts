import { optionalServices, type ProcessName, type Use, uses } from '@tallyport/contracts';
import { operationSubject } from './subject.ts';
import { isRequestKind, operationKind, processServing } from './used-operations.ts';

/** A service whose calls or exchanges a process asks for. */
export interface NeededService {
  /** The name of its processes: `chat-svc`. */
  name: string;
  /** One of the operations that the process may ask for. Every replica answers pings there. */
  operation: string;
  /** Whether an installation may run without it. */
  isOptional: boolean;
}

/**
 * What a process needs follows from its use of the contracts: what it asks for, without what it serves itself. A process
 * that is not in that table needs nothing.
 */
export function servicesNeededBy(processes: readonly string[]): readonly NeededService[] {
  const own = processes.flatMap((process): readonly Use[] =>
    Object.hasOwn(uses, process) ? [uses[process as ProcessName]] : [],
  );
  const needed = new Map(own.flatMap(servicesAskedBy));
  for (const { serves } of own) if (serves !== undefined) needed.delete(serves);
  return [...needed.values()];
}

function servicesAskedBy({ sends }: Use): readonly (readonly [string, NeededService])[] {
  return Object.entries(sends).flatMap(([service, names]: [string, readonly string[]]) => {
    const asked = names.find((name) => isRequestKind(operationKind(service, name)));
    if (asked === undefined) return [];
    const isOptional = optionalServices.some((optional) => optional === service);
    return [[service, { name: processOf(service), operation: operationSubject(service, asked), isOptional }]];
  });
}

/** The name of the processes that answer for a service. */
export const processOf = (service: string): string => processServing(service) ?? service;
