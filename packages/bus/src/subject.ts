/** Every subject of the bus is made here, from contracts and instance names, and is typed nowhere as a string. */
const root = 'sy';

export const operationSubject = (service: string, operation: string): string => `${root}.s.${service}.${operation}`;

export const journalSubject = (service: string, operation: string): string => `${root}.j.${service}.${operation}`;

/** What one durable store holds: every journal there is. */
export const journalWildcard = `${root}.j.>`;

/** Where everything meant for one instance arrives: `token` says which of its streams. */
export const inboxSubject = (instance: string, token: string): string => `${root}.i.${instance}.${token}`;

export const inboxWildcard = (instance: string): string => inboxSubject(instance, '*');

/** The instance an inbox subject belongs to; empty for a subject that is none. */
export function inboxInstance(subject: string): string {
  const start = root.length + 3;
  const end = subject.indexOf('.', start);
  return end < 0 ? '' : subject.slice(start, end);
}

export const inboxToken = (subject: string): string => subject.slice(subject.lastIndexOf('.') + 1);

/** Tokens say whose map an incoming frame belongs to: our requests, the exchanges we answer, or an instance's liveness. */
export const requesterToken = (count: number): string => `q${count.toString(36)}`;
export const responderToken = (count: number): string => `s${count.toString(36)}`;
export const livenessToken = (peer: string): string => `p${peer}`;
export const tokenPeer = (token: string): string => token.slice(1);
