import {
  type HostileAnswer,
  listResult,
  openHostileServer,
  sendEvents,
  sendJson,
} from '../../../services/mcp-svc/src/testing/open-hostile-server.ts';
import type { Attacker } from '../installation.ts';
import { type Attack, type PreparedAttack, send, set } from './attack.ts';

const repeated = (message: (at: number) => object): object[] => Array.from({ length: 20_000 }, (_, at) => message(at));
const pings = repeated((id) => ({ id, method: 'ping' }));
const notices = repeated(() => ({ method: 'notifications/message', params: { level: 'info', data: '' } }));

/** Five servers of the account, whose tools are listed and called. */
async function prepared(attacker: Attacker, answer: HostileAnswer): Promise<PreparedAttack> {
  const servers = await Promise.all([1, 2, 3, 4, 5].map(() => openHostileServer(answer)));
  const records = await Promise.all(
    servers.map(({ url }, at) => set(attacker, 'POST /mcp-servers', { name: `hostile${at}`, url })),
  );
  const headers = { accept: 'application/json, text/event-stream' };
  return {
    clients: 10,
    once: (turn, signal) => {
      const call = turn % 2 === 0 ? { method: 'tools/list' } : { method: 'tools/call', params: callOf(turn) };
      return send(attacker, '/mcp', { headers, body: JSON.stringify({ jsonrpc: '2.0', id: turn, ...call }), signal });
    },
    async end() {
      await Promise.all(records.map(({ id }) => set(attacker, `DELETE /mcp-servers/${String(id)}`)));
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

const callOf = (turn: number): object => ({ name: `hostile${turn % 5}__search`, arguments: {} });

export const registeredServerAttacks: readonly Attack[] = [
  {
    name: 'registered servers that send 20,000 pings',
    prepare: (attacker) => prepared(attacker, (asked, response) => sendEvents(response, ...pings, listResult(asked))),
  },
  {
    name: 'registered servers that send 20,000 notices in a batch',
    prepare: (attacker) => prepared(attacker, (asked, response) => sendJson(response, ...notices, listResult(asked))),
  },
];
