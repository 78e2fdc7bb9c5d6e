import type { ErrorCode } from '@tallyport/contracts';
import { type ApiOperation, managementOperations } from '@tallyport/management';
import { z } from 'zod';
import type { Parameter } from '@tallyport/endpoints';
import type { DescribedOperation } from '../operation.ts';

const json = 'application/json';

/** The management API, made from the same table as its router. */
export const describedManagement = (): DescribedOperation[] =>
  Object.entries(managementOperations).map(([id, operation]) => described(id, operation));

function described(id: string, operation: ApiOperation): DescribedOperation {
  const { method, path, summary, access, input, output, example, status = 200, contentType = json } = operation;
  const members = z.object(shapeOf(operation)).shape;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const rest = Object.entries(members).filter(([name]) => !inPath.includes(name));
  const takesBody = method !== 'GET' && method !== 'DELETE';
  const parameter =
    (place: 'path' | 'query') =>
    ([name, schema]: [string, z.ZodType]): Parameter => ({
      name,
      schema,
      in: place,
      description: '',
      ...exampleOf(name, operation),
    });
  return {
    id,
    method,
    summary,
    path: `/api/v1${path}`,
    tag: tagOf(path),
    description: permission[access],
    access: access === 'anyone' ? 'open' : 'management',
    parameters: [
      ...inPath.map((name): [string, z.ZodType] => [name, members[name] ?? z.string()]).map(parameter('path')),
      ...(takesBody ? [] : rest.map(parameter('query'))),
      ...(contentType === json ? [] : [accountOfLink]),
    ],
    ...(takesBody &&
      rest.length > 0 && {
        body: { [json]: bodyOf(inPath.length > 0 ? closed(rest) : input, withoutPath(example, inPath)) },
      }),
    answers: { [status]: { description: 'Done.', content: { [contentType]: { schema: output } } } },
    failures: failuresOf(operation, inPath.length > 0),
  };
}

const accountOfLink: Parameter = {
  name: 'account',
  schema: z.string().optional(),
  in: 'query',
  description: 'The account, for links, which cannot set the header `x-tallyport-account`.',
};

function shapeOf({ input }: ApiOperation): Record<string, z.ZodType> {
  if (input instanceof z.ZodObject) return input.shape as Record<string, z.ZodType>;
  throw new Error('The input schema of an operation must be an object.');
}

const closed = (members: [string, z.ZodType][]): z.ZodType => z.strictObject(Object.fromEntries(members));

/** The example of an operation has the members of its path as well. */
function exampleOf(name: string, { example }: ApiOperation): Pick<Parameter, 'example'> {
  const value: unknown = example && Reflect.get(example.value, name);
  return typeof value === 'string' ? { example: value } : {};
}

const withoutPath = (example: ApiOperation['example'], inPath: readonly string[]): ApiOperation['example'] =>
  example && {
    ...example,
    value: Object.fromEntries(Object.entries(example.value).filter(([name]) => !inPath.includes(name))),
  };

const bodyOf = (schema: z.ZodType, example: ApiOperation['example']) => ({
  schema,
  ...(example && { examples: { one: example } }),
});

/** `/oauth-clients/{id}`: OAuth clients. */
const tagOf = (path: string): string => `Manage: ${(path.split('/')[1] ?? '').replaceAll('-', ' ')}`;

const permission = {
  anyone: 'Needs no permission.',
  member: 'For members of the account.',
  admin: 'For admins and owners of the account.',
  owner: 'For owners of the account.',
  operator: 'For operators of the installation.',
} as const satisfies Record<ApiOperation['access'], string>;

const failuresOf = ({ access, method }: ApiOperation, hasPathParameter: boolean): ErrorCode[] => [
  'invalid_parameters',
  'invalid_api_key',
  ...(access === 'anyone' ? [] : (['permission_denied'] as const)),
  ...(hasPathParameter ? (['not_found'] as const) : []),
  ...(method === 'GET' ? [] : (['conflict', 'unsupported_media_type'] as const)),
  'rate_limit_exceeded',
  'unavailable',
];
