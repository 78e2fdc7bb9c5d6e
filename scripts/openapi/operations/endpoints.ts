import { type Endpoint, endpoints, namesOf } from '@tallyport/contracts';
import type { DescribedAnswer, EndpointDescription } from '@tallyport/endpoints';
import { endpointDescriptions } from '@tallyport/endpoints/document';
import type { DescribedOperation } from '../operation.ts';
import { paidFailures, paidHeaders, servedHeaders } from './paid.ts';
import { requestHeaders } from './request-headers.ts';

/** The operations of the table, apart from those for modules of our pages, in the order of their descriptions. */
export const endpointOperations = (): DescribedOperation[] =>
  namesOf(endpointDescriptions).flatMap((exchange) =>
    endpoints
      .filter((row) => row.exchange === exchange && row.key !== 'session')
      .map((row, at) => {
        const operation = operationOf(row, endpointDescriptions[exchange]);
        // Some APIs have several addresses; the first one of the table has the id of its exchange.
        return at === 0 ? operation : { ...operation, id: `${operation.id}${versionOf(row)}` };
      }),
  );

const versionOf = ({ path }: Endpoint): string => /^\/(v\d\w*)\//.exec(path)?.[1]?.toUpperCase() ?? 'Unversioned';

/** One operation of the document: what the table has, what the description has, and what all paid endpoints share. */
export function operationOf(row: Endpoint, description: EndpointDescription): DescribedOperation {
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
    failures: isPaid ? [...paidFailures, ...failures] : failures,
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
