import { type Html, html } from '@tallyport/pages';
import { nameOf, type ReferenceSchema } from './document.ts';
import { inline } from './prose.ts';
import { boundsText, typeText, variantsOf } from './type-text.ts';

type Schemas = Readonly<Record<string, ReferenceSchema>>;

/** Where a schema is within another one. */
interface Place {
  schemas: Schemas;
  /** The named schemas around it: one of them is not shown again. */
  around: readonly string[];
  depth: number;
}

const deepest = 7;

interface Named {
  name: string;
  schema: ReferenceSchema;
}

/** The members of a value, and of the values in it; nothing if it has none. */
export const schemaView = (schema: ReferenceSchema, schemas: Schemas): Html | undefined =>
  objectsView(schema, { schemas, around: [], depth: 0 });

function objectsView(schema: ReferenceSchema, place: Place): Html | undefined {
  const [only, ...others] = objectsIn(schema, place.schemas);
  if (only === undefined) return undefined;
  if (place.depth > deepest) return html`<p class="quiet small">See the OpenAPI document for what is in it.</p>`;
  if (others.length === 0) return membersView(only, place);
  return html`${[only, ...others].map(
    (object) =>
      html`<details>
        <summary>${object.name}</summary>
        ${membersView(object, place)}
      </details>`,
  )}`;
}

/** The objects that a value may be or hold, through references, arrays, maps and alternatives. */
function objectsIn(schema: ReferenceSchema, schemas: Schemas): Named[] {
  if (schema.$ref !== undefined) {
    const target = schemas[nameOf(schema.$ref)];
    return target === undefined ? [] : [{ name: nameOf(schema.$ref), schema: target }];
  }
  const inside = [
    ...variantsOf(schema),
    ...(schema.items ? [schema.items] : []),
    ...(schema.contentSchema ? [schema.contentSchema] : []),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
  ];
  const own = Object.keys(schema.properties ?? {}).length > 0 ? [{ name: objectName(schema), schema }] : [];
  return [...own, ...inside.flatMap((each) => objectsIn(each, schemas))];
}

/** A title, or what distinguishes the object from its alternatives: the members that have one value only. */
function objectName({ title, properties = {}, required = [] }: ReferenceSchema): string {
  if (title !== undefined) return title;
  const fixed = Object.entries(properties).filter(([, { const: value }]) => value !== undefined);
  if (fixed.length > 0) return fixed.map(([name, { const: value }]) => `${name}: ${JSON.stringify(value)}`).join(', ');
  const names = required.length > 0 ? required : Object.keys(properties);
  return `with ${names.slice(0, 3).join(', ')}`;
}

function membersView({ name, schema }: Named, { schemas, around, depth }: Place): Html | undefined {
  if (around.includes(name)) return html`<p class="quiet small">The members of ${name}, as above.</p>`;
  const isNamed = schemas[name] === schema;
  const place = { schemas, around: isNamed ? [...around, name] : around, depth: depth + 1 };
  // A named schema may itself be a choice of objects.
  if (schema.properties === undefined) return isNamed ? objectsView(schema, place) : undefined;
  return html`<ul class="members">
    ${Object.entries(schema.properties).map(([member, value]) =>
      memberView({ name: member, schema: value, isRequired: schema.required?.includes(member) ?? false }, place),
    )}
  </ul>`;
}

interface Member extends Named {
  isRequired: boolean;
  description?: string | undefined;
}

/** A member or a parameter. */
export const fieldView = (member: Member, schemas: Schemas): Html =>
  memberView(member, { schemas, around: [], depth: 0 });

function memberView({ name, schema, isRequired, description = schema.description }: Member, place: Place): Html {
  const bounds = boundsText(schema);
  const inside = objectsView(schema, place);
  return html`<li>
    <p>
      <code class="name">${name}</code> <span class="quiet small">${typeText(schema)}${bounds && `, ${bounds}`}</span>
      ${isRequired && html`<span class="required small">required</span>`}
    </p>
    ${description !== undefined && html`<p class="small">${inline(description)}</p>`}
    ${
      inside &&
      html`<details>
        <summary>Members<span class="unseen"> of ${name}</span></summary>
        ${inside}
      </details>`
    }
  </li>`;
}
