/** `Object.keys` with the type of the keys. */
export const namesOf = <Name extends string>(members: Readonly<Record<Name, unknown>>): Name[] =>
  Object.keys(members) as Name[];

/** An object with `make(name)` as the value of every name. */
export const byName = <Name extends string, Member>(names: readonly Name[], make: (name: Name) => Member) =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Member>;
