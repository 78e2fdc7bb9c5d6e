import { managementApp, type ManagementAppTools } from '@tallyport/management-server';
import type { Express } from 'express';
import { oauthRoutes, type OAuthRoutesTools } from './oauth/routes.ts';
import { consentRoutes } from './pages/consent.ts';
import { linkRoutes, type LinkTools } from './pages/links.ts';
import { type ProviderSignInTools, providerSignInRoutes } from './pages/provider-sign-in.ts';
import { signInRoutes } from './pages/sign-in.ts';

interface AppTools extends Omit<ManagementAppTools, 'pages'>, LinkTools, OAuthRoutesTools, ProviderSignInTools {}

/** The web app of auth-svc. */
export const authApp = (tools: AppTools): Express =>
  managementApp({
    ...tools,
    pages: [
      signInRoutes(tools),
      providerSignInRoutes(tools),
      linkRoutes(tools),
      consentRoutes(tools),
      oauthRoutes(tools),
    ],
  });
