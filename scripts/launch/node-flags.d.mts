export const nodeOptions: readonly string[];
export const nodeArguments: readonly string[];
export const serviceFlags: readonly string[];
export const serviceEnvironment: Readonly<Record<string, string>>;
export const ownEnvironment: { readonly 'image-svc': Readonly<Record<string, string>> };
