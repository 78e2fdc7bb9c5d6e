import type { Base, BaseService } from './base.ts';
import { onlyIf } from './marks.ts';
import { serviceTemplate } from './service-template.ts';

/** In the compact form, the pods of this name run other services as well. */
export const compactName = 'edge';
/** The condition of the compact form. */
export const isCompact = '$.Values.compact.enabled';

/** The service whose pods run several ones in the compact form. */
export function compactService({ services }: Base): BaseService {
  const found = services.find(({ name }) => name === compactName);
  if (found === undefined) throw new Error(`The compact form has no ${compactName}.`);
  return found;
}

/** The templates of a service, or of the one that runs it in the compact form. */
export function formTemplates(base: Base, compact: Base): readonly (readonly [string, string])[] {
  const names = base.services.map(({ name }) => name);
  const isAlone = (name: string): boolean =>
    name !== compactName && compact.services.some((kept) => kept.name === name);
  return [
    ...base.services.map((service) => {
      const template = serviceTemplate(service, names);
      return [service.name, isAlone(service.name) ? template : onlyIf(`not ${isCompact}`, template)] as const;
    }),
    ['compact', onlyIf(isCompact, serviceTemplate(compactService(compact), names, 'compact'))],
  ];
}
