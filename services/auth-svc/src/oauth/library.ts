/** The types of oidc-provider that pages need; only this folder imports the library itself. */
export type { Interaction, InteractionResults, KoaContextWithOIDC, Provider } from 'oidc-provider';
