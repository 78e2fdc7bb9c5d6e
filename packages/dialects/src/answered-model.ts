import type { DialectRequest } from './dialect.ts';

/** The name in an answer of the model that made it, given `<provider>/<id>`; as the client named it where it did. */
export type AnsweredModel = (served: string | undefined) => string;

/** Without stand-ins and routes it is always the client's own name. */
export function answeredModel(
  own: string,
  { standIns, isRouted = () => false }: Pick<DialectRequest, 'standIns' | 'isRouted'>,
): AnsweredModel {
  return (served) => {
    if (served === undefined || (standIns === undefined && !isRouted())) return own;
    const id = served.slice(served.indexOf('/') + 1);
    return [own, ...(standIns ?? [])].find((name) => name === id || name.endsWith(`/${id}`)) ?? id;
  };
}
