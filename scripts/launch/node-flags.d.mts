export const nodeOptions: readonly string[];
export const nodeArguments: readonly string[];
export const serviceFlags: readonly string[];
export const serviceEnvironment: Readonly<Record<string, string>>;
export const ownEnvironment: Readonly<Record<'image-svc' | 'all-in-one', Readonly<Record<string, string>>>>;
export const oneProcessEnvironment: Readonly<Record<string, string>>;
