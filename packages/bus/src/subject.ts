/** All subjects of the bus are built in this file, from contracts and instance names, and written nowhere else. */
const root = 'tp';

export const operationSubject = (service: string, operation: string): string => `${root}.s.${service}.${operation}`;

export const journalSubject = (service: string, operation: string): string => `${root}.j.${service}.${operation}`;

/** The subjects of all journals, which share one stream. */
export const journalWildcard = `${root}.j.>`;

/** The subject of messages for one instance; `token` identifies the stream within it. */
export const inboxSubject = (instance: string, token: string): string => `${root}.i.${instance}.${token}`;

export const inboxWildcard = (instance: string): string => inboxSubject(instance, '*');

/** The prefix that all operation subjects of a service share. */
export const serviceOf = (operation: string): string => operation.slice(0, operation.lastIndexOf('.'));

/** The instance that an inbox subject belongs to; empty for any other subject. */
export function inboxInstance(subject: string): string {
  const start = root.length + 3;
  const end = subject.indexOf('.', start);
  return end < 0 ? '' : subject.slice(start, end);
}

export const inboxToken = (subject: string): string => subject.slice(subject.lastIndexOf('.') + 1);

/**
 * The first letter of a token says where a frame belongs: our requests, exchanges that we answer, or an instance's
 * liveness.
 */
export const requesterToken = (count: number): string => `q${count.toString(36)}`;
export const responderToken = (count: number): string => `s${count.toString(36)}`;
export const livenessToken = (peer: string): string => `p${peer}`;
/** For checks of whether a replica answers. */
export const checkToken = (count: number): string => `c${count.toString(36)}`;
/** For requests to one instance, which bypass the queue group of its service. */
export const directToken = (operation: string): string => `d${operation.replaceAll('.', '-')}`;
export const tokenPeer = (token: string): string => token.slice(1);
