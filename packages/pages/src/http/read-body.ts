import { GatewayError } from '@tallyport/contracts';
import { structureProblem } from '@tallyport/wire';
import { json, type RequestHandler, urlencoded } from 'express';

interface FormLimits {
  bytes: number;
  fields: number;
}

/** Reads a form. Forms of our pages are a few short fields. */
export const readForm = ({ bytes, fields }: FormLimits = { bytes: 16 * 1024, fields: 20 }): RequestHandler =>
  thenChecked(urlencoded({ limit: bytes, extended: false, parameterLimit: fields }));

/** Reads any JSON value. */
export const readJson = (bytes: number): RequestHandler => thenChecked(json({ limit: bytes, strict: false }));

/** Postgres cannot store NUL characters, and none is ever intended. */
export const refuseNulInAddress: RequestHandler = ({ url }, _response, next) =>
  next(url.includes('%00') ? hasNul('The address') : undefined);

const thenChecked =
  (read: RequestHandler): RequestHandler =>
  (request, response, next) =>
    read(request, response, (failure: unknown) => next(failure ?? problemOf(request.body)));

function problemOf(body: unknown): GatewayError | undefined {
  const problem = structureProblem(body);
  if (problem !== undefined) return new GatewayError('invalid_parameters', `The body cannot be read: ${problem}.`);
  return holdsNul(body) ? hasNul('The body') : undefined;
}

function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => name.includes('\0') || holdsNul(member));
}

const hasNul = (where: string): GatewayError =>
  new GatewayError('invalid_parameters', `${where} contains a NUL character. Remove it.`);
