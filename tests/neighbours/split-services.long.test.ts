import { startSplitInstallation } from './installation.ts';
import { neighboursSuite } from './neighbours.suite.ts';

// Long: it attacks for minutes.
// About: services/edge/src, packages/wire/src/json, services/auth-svc/src/http, services/ledger-svc/src/http.

neighboursSuite(startSplitInstallation);
