import { type Endpoint, endpoints } from '@tallyport/contracts';
import { type DescribedAnswer, type EndpointDescription, endpointDescriptions } from '@tallyport/endpoints';
import type { DescribedOperation } from '../operation.ts';
import { paidHeaders, requestHeaders } from './request-headers.ts';
import { servedHeaders, serving } from './serving.ts';

const table: readonly Endpoint[] = endpoints;

/** The operations of an exchange: one for each of its rows in the table, apart from those for modules of our pages. */
export const operationsOf = (exchange: keyof typeof endpointDescriptions): DescribedOperation[] =>
  table
    .filter((row) => row.exchange === exchange && row.key !== 'session')
    .map((row) => described(row, endpointDescriptions[exchange]));

/** One operation of the document: what the table has, what the description has, and what all paid endpoints share. */
export function described(row: Endpoint, description: EndpointDescription): DescribedOperation {
  const { headers = [], parameters = [], answers, failures = [], ...rest } = description;
  const isPaid = row.usage !== undefined;
  const read = new Set([...(isPaid ? paidHeaders : []), ...headers]);
  mustAccept(row, description);
  return {
    ...rest,
    method: row.method,
    path: row.path,
    access: row.key === 'optional' ? 'optional' : 'key',
    parameters: [...parameters, ...requestHeaders.filter(({ name }) => read.has(name))],
    answers: isPaid ? served(answers) : answers,
    failures: isPaid ? [...serving, ...failures] : failures,
  };
}

function mustAccept({ path, accepts }: Endpoint, { body = {} }: EndpointDescription): void {
  const read = Object.keys(body);
  if (read.length === accepts.length && accepts.every((type) => read.includes(type))) return;
  throw new Error(`${path} accepts ${accepts.join(', ')} in the table, but ${read.join(', ')} is described.`);
}

const served = (answers: EndpointDescription['answers']): Readonly<Record<string, DescribedAnswer>> =>
  Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      { ...answer, headers: [...servedHeaders, ...(answer.headers ?? [])] },
    ]),
  );
